// The features of providers that the probe tries with messages, puts, counters and atomics.
#include <algorithm>
#include <rdma/fi_atomic.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <rdma/fi_trigger.h>
#include <sstream>

#include "substrate/ofi/probe.hpp"
#include "substrate/ofi/probe_pair.hpp"

namespace boxcar::detail::ofi {
namespace {

std::string but_only(std::uint64_t seen) {
  std::ostringstream text;
  text << "says so, but only " << seen << " of 3 are seen";
  return text.str();
}

// Sends three messages into one posted buffer.
std::string append(const std::string& provider) {
  probe_pair p(provider, FI_MSG | FI_MULTI_RECV);
  iovec room{p.there().data(), sizeof p.there()};
  void* description = p.there_description();
  const fi_msg all{.msg_iov = &room,
                   .desc = &description,
                   .iov_count = 1,
                   .addr = FI_ADDR_UNSPEC,
                   .context = &p.context(),
                   .data = 0};
  check(fi_recvmsg(p.to_end(), &all, FI_MULTI_RECV | FI_COMPLETION), "fi_recvmsg");
  for (std::uint64_t i = 0; i < 3; ++i) {
    p.here()[i] = i + 1;
    p.begin("fi_send", [&] {
      return fi_send(p.from(), &p.here()[i], sizeof p.here()[i], p.here_description(), p.to(),
                     &p.context());
    });
  }
  std::vector<std::uint64_t> found;
  const auto look = [&] {
    found.clear();
    for (const fi_cq_data_entry& e : p.arrived()) {
      if ((e.flags & FI_RECV) == 0 || e.len != sizeof(std::uint64_t)) continue;
      found.push_back(*static_cast<const std::uint64_t*>(e.buf));
    }
    return found.size() == 3;
  };
  if (!p.poll_until(look)) return but_only(found.size());
  return found == std::vector<std::uint64_t>{1, 2, 3} ? works : "says so, but mixes them up";
}

std::string put_and_get(const std::string& provider) {
  probe_pair p(provider, FI_RMA);
  if (!p.put(3, 42)) return "says so, but what was put is not there";
  const int before = p.ended_here();
  p.begin("fi_read", [&] {
    return fi_read(p.from(), &p.here()[5], sizeof p.here()[5], p.here_description(), p.to(),
                   p.there_address() + 3 * sizeof p.here()[5], p.key(), &p.context());
  });
  const bool is_here = p.poll_until([&] { return p.ended_here() > before; });
  return is_here && p.here()[5] == 42 ? works : "says so, but what was got is not here";
}

std::string put_three(probe_pair& p, fid_cntr* counter) {
  for (std::uint64_t i = 0; i < 3; ++i) {
    if (!p.put(i, i + 1)) return "says so, but what was put is not there";
  }
  if (p.poll_until([&] { return fi_cntr_read(counter) == 3; })) return works;
  return but_only(fi_cntr_read(counter));
}

std::string counter_of_endpoint(const std::string& provider) {
  probe_pair p(provider, FI_RMA | FI_RMA_EVENT, true);
  return put_three(p, p.counter());
}

std::string counter_of_region(const std::string& provider) {
  probe_pair p(provider, FI_RMA | FI_RMA_EVENT);
  const owned<fid_cntr> counter = p.make_counter();
  check(fi_mr_bind(p.region(), &counter->fid, FI_REMOTE_WRITE), "fi_mr_bind of a counter");
  return put_three(p, counter.get());
}

std::string data_of_put(const std::string& provider) {
  probe_pair p(provider, FI_RMA);
  constexpr std::uint64_t number = 42;
  p.begin("fi_writedata", [&] {
    return fi_writedata(p.from(), p.here().data(), sizeof number, p.here_description(), number,
                        p.to(), p.there_address(), p.key(), &p.context());
  });
  const bool has_come = p.poll_until([&] {
    return std::ranges::any_of(p.arrived(), [](const fi_cq_data_entry& e) {
      return (e.flags & FI_REMOTE_CQ_DATA) != 0 && e.data == number;
    });
  });
  return has_come ? works : "nothing is told";
}

std::string atomics(const std::string& provider) {
  probe_pair p(provider, FI_RMA | FI_ATOMIC);
  p.there()[2] = 40;
  p.here()[0] = 2;
  p.begin("fi_fetch_atomic", [&] {
    return fi_fetch_atomic(p.from(), p.here().data(), 1, p.here_description(), &p.here()[1],
                           p.here_description(), p.to(), p.there_address() + 2 * sizeof p.here()[0],
                           p.key(), FI_UINT64, FI_SUM, &p.context());
  });
  const bool is_over = p.poll_until([&] { return p.ended_here() != 0; });
  return is_over && p.here()[1] == 40 && p.there()[2] == 42 ? works : "says so, but does not add";
}

std::string triggered(const std::string& provider) {
  probe_pair p(provider, FI_MSG | FI_TRIGGER);
  const owned<fid_cntr> counter = p.make_counter();
  check(fi_recv(p.to_end(), p.there().data(), sizeof p.there(), p.there_description(),
                FI_ADDR_UNSPEC, &p.context()),
        "fi_recv");
  fi_triggered_context when{};
  when.event_type = FI_TRIGGER_THRESHOLD;
  when.trigger.threshold.cntr = counter.get();
  when.trigger.threshold.threshold = 1;
  iovec from{p.here().data(), sizeof p.here()[0]};
  void* description = p.here_description();
  const fi_msg all{.msg_iov = &from,
                   .desc = &description,
                   .iov_count = 1,
                   .addr = p.to(),
                   .context = &when,
                   .data = 0};
  p.begin("fi_sendmsg", [&] { return fi_sendmsg(p.from(), &all, FI_TRIGGER | FI_COMPLETION); });
  const auto has_come = [&] { return !p.arrived().empty(); };
  if (p.poll_until(has_come, std::chrono::milliseconds(50))) return "says so, but does not wait";
  check(fi_cntr_add(counter.get(), 1), "fi_cntr_add");
  return p.poll_until(has_come) ? works : "says so, but does not fire";
}

}  // namespace

const std::array<probed_feature, 7> probed_features{{
    {"append", append},
    {"put, get", put_and_get},
    {"data of put", data_of_put},
    {"counter", counter_of_endpoint},
    {"of region", counter_of_region},
    {"atomics", atomics},
    {"triggered", triggered},
}};

}  // namespace boxcar::detail::ofi
