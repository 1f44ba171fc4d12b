// The probe of deferred work: operations fired by a counter, without calls of libfabric meanwhile.
#include <atomic>
#include <rdma/fi_atomic.h>
#include <rdma/fi_rma.h>
#include <rdma/fi_trigger.h>
#include <thread>

#include "substrate/ofi/probe.hpp"
#include "substrate/ofi/probe_pair.hpp"

namespace boxcar::detail::ofi {
namespace {

constexpr std::uint64_t for_deferred = FI_RMA | FI_ATOMIC | FI_RMA_EVENT | FI_TRIGGER;
constexpr auto time_to_fire = std::chrono::milliseconds(50);

// Waits without calls of libfabric: `is_so` looks at memory.
template <typename Condition>
bool happens_by_itself(const Condition& is_so) {
  const auto until = std::chrono::steady_clock::now() + max_probe_wait;
  while (!is_so()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

std::uint64_t seen(const std::uint64_t& word) {
  return std::atomic_ref<const std::uint64_t>(word).load(std::memory_order_acquire);
}

// A deferred put of a word.
class deferred_put {
 public:
  deferred_put(probe_pair& p, std::size_t from, std::size_t into, fid_cntr* when,
               std::uint64_t threshold, fid_cntr* done)
      : local_{&p.here()[from], sizeof p.here()[from]},
        remote_{p.there_address() + into * sizeof p.here()[from], sizeof p.here()[from], p.key()},
        description_(p.here_description()) {
    how_.ep = p.from();
    how_.msg = {.msg_iov = &local_,
                .desc = &description_,
                .iov_count = 1,
                .addr = p.to(),
                .rma_iov = &remote_,
                .rma_iov_count = 1,
                .context = &work.context,
                .data = 0};
    how_.flags = FI_DELIVERY_COMPLETE;
    work.threshold = threshold;
    work.triggering_cntr = when;
    work.completion_cntr = done;
    work.op_type = FI_OP_WRITE;
    work.op.rma = &how_;
  }
  deferred_put(const deferred_put&) = delete;
  deferred_put& operator=(const deferred_put&) = delete;
  fi_deferred_work work{};

 private:
  fi_op_rma how_{};
  iovec local_;
  fi_rma_iov remote_;
  void* description_;
};

// Tries a deferred put: the put waits, and fires by itself; both sides count the put.
std::string put_by_itself(const std::string& provider) {
  probe_pair p(provider, for_deferred);
  if (!p.put(0, 1)) return "says so, but what was put is not there";
  const owned<fid_cntr> begin = p.make_counter();
  const owned<fid_cntr> done = p.make_counter();
  const owned<fid_cntr> arrived = p.make_counter();
  check(fi_mr_bind(p.region(), &arrived->fid, FI_REMOTE_WRITE), "fi_mr_bind of a counter");
  p.here()[1] = 42;
  deferred_put put(p, 1, 1, begin.get(), 2, done.get());
  p.queue(put.work);
  check(fi_cntr_add(begin.get(), 1), "fi_cntr_add");
  std::this_thread::sleep_for(time_to_fire);
  if (seen(p.there()[1]) != 0) return "says so, but does not wait";
  check(fi_cntr_add(begin.get(), 1), "fi_cntr_add");
  if (!happens_by_itself([&] { return seen(p.there()[1]) == 42; })) {
    return "says so, but does not fire by itself";
  }
  const auto are_counted = [&] {
    return fi_cntr_read(done.get()) == 1 && fi_cntr_read(arrived.get()) == 1;
  };
  return p.poll_until(are_counted) ? works : "says so, but does not count";
}

// Tries a chain: the add to a counter fires, and by the counter a put.
std::string add_by_itself(const std::string& provider) {
  probe_pair p(provider, for_deferred);
  if (!p.put(0, 1)) return "says so, but what was put is not there";
  const owned<fid_cntr> begin = p.make_counter();
  const owned<fid_cntr> next = p.make_counter();
  const owned<fid_cntr> done = p.make_counter();
  fi_op_cntr by{next.get(), 3};
  fi_deferred_work add{};
  add.threshold = 1;
  add.triggering_cntr = begin.get();
  add.op_type = FI_OP_CNTR_ADD;
  add.op.cntr = &by;
  p.here()[1] = 42;
  deferred_put put(p, 1, 1, next.get(), 3, done.get());
  p.queue(put.work);
  p.queue(add);
  check(fi_cntr_add(begin.get(), 1), "fi_cntr_add");
  const bool fires = happens_by_itself([&] { return seen(p.there()[1]) == 42; });
  if (!fires) return "says so, but does not fire by itself";
  // Work already due fires when queued.
  p.queue(add);
  return p.poll_until([&] { return fi_cntr_read(next.get()) == 6; }) ? works
                                                                     : "does not fire if it is due";
}

std::string sum_by_itself(const std::string& provider) {
  probe_pair p(provider, for_deferred);
  if (!p.put(0, 1)) return "says so, but what was put is not there";
  const owned<fid_cntr> begin = p.make_counter();
  const owned<fid_cntr> done = p.make_counter();
  p.here()[1] = 2;
  p.there()[1] = 40;
  fi_ioc local{&p.here()[1], 1};
  fi_rma_ioc remote{p.there_address() + sizeof p.here()[1], 1, p.key()};
  void* description = p.here_description();
  fi_deferred_work sum{};
  fi_op_atomic how{};
  how.ep = p.from();
  how.msg = {.msg_iov = &local,
             .desc = &description,
             .iov_count = 1,
             .addr = p.to(),
             .rma_iov = &remote,
             .rma_iov_count = 1,
             .datatype = FI_UINT64,
             .op = FI_SUM,
             .context = &sum.context,
             .data = 0};
  how.flags = FI_DELIVERY_COMPLETE;
  sum.threshold = 1;
  sum.triggering_cntr = begin.get();
  sum.completion_cntr = done.get();
  sum.op_type = FI_OP_ATOMIC;
  sum.op.atomic = &how;
  p.queue(sum);
  check(fi_cntr_add(begin.get(), 1), "fi_cntr_add");
  return happens_by_itself([&] { return seen(p.there()[1]) == 42; })
             ? works
             : "says so, but does not fire by itself";
}

// Tries two thresholds, both reached by a single jump.
std::string order_of_firing(const std::string& provider) {
  probe_pair p(provider, for_deferred);
  if (!p.put(0, 1)) return "says so, but what was put is not there";
  const owned<fid_cntr> begin = p.make_counter();
  const owned<fid_cntr> done = p.make_counter();
  p.here()[1] = 1;
  p.here()[2] = 2;
  deferred_put second(p, 2, 1, begin.get(), 2, done.get());
  deferred_put first(p, 1, 1, begin.get(), 1, done.get());
  p.queue(second.work);
  p.queue(first.work);
  check(fi_cntr_add(begin.get(), 2), "fi_cntr_add");
  if (!p.poll_until([&] { return fi_cntr_read(done.get()) == 2; })) {
    return "says so, but does not fire";
  }
  return seen(p.there()[1]) == 2 ? works : "fires in the order of asking, not of thresholds";
}

std::string cancelling(const std::string& provider) {
  probe_pair p(provider, for_deferred);
  if (!p.put(0, 1)) return "says so, but what was put is not there";
  const owned<fid_cntr> begin = p.make_counter();
  const owned<fid_cntr> done = p.make_counter();
  p.here()[1] = 42;
  deferred_put put(p, 1, 1, begin.get(), 1, done.get());
  p.queue(put.work);
  p.cancel(put.work);
  check(fi_cntr_add(begin.get(), 1), "fi_cntr_add");
  std::this_thread::sleep_for(time_to_fire);
  return seen(p.there()[1]) == 0 ? works : "says so, but fires all the same";
}

}  // namespace

const std::array<probed_feature, 5> probed_deferring{{
    {"deferred put", put_by_itself},
    {"deferred add", add_by_itself},
    {"deferred sum", sum_by_itself},
    {"in order", order_of_firing},
    {"cancelled", cancelling},
}};

}  // namespace boxcar::detail::ofi
