#include "substrate/ofi/probe.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <iomanip>
#include <optional>
#include <rdma/fi_atomic.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <rdma/fi_trigger.h>
#include <set>
#include <span>
#include <sstream>
#include <thread>
#include <vector>

#include <boxcar/error.hpp>

#include "substrate/ofi/call.hpp"
#include "substrate/ofi/isolated.hpp"
#include "substrate/ofi/owned.hpp"
#include "substrate/ofi/provider.hpp"

namespace boxcar::detail::ofi {
namespace {

constexpr auto max_attempt = std::chrono::seconds(8);
constexpr auto max_wait = std::chrono::seconds(2);
constexpr const char* works = "works";

// Thrown if the provider does not offer the feature.
struct not_offered {};

info_list find(const std::string& provider, std::uint64_t capabilities) {
  info_list hints(libfabric().copy_information(nullptr));
  hints->mode = FI_CONTEXT | FI_CONTEXT2;
  hints->ep_attr->type = FI_EP_RDM;
  hints->caps = capabilities;
  hints->domain_attr->mr_mode =
      FI_MR_LOCAL | FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_ENDPOINT;
  if (!provider.empty()) hints->fabric_attr->prov_name = strdup(provider.c_str());
  fi_info* found = nullptr;
  const int code =
      libfabric().get_information(api_version, nullptr, nullptr, 0, hints.get(), &found);
  if (code == -FI_ENODATA) return nullptr;
  check(code, "fi_getinfo");
  return info_list(found);
}

// Two endpoints: the first endpoint sends, puts and gets.
class pair {
 public:
  // `counts`: the second endpoint has a counter of puts into its memory.
  pair(const std::string& provider, std::uint64_t capabilities, bool counts = false)
      : info_(find(provider, capabilities)) {
    if (info_ == nullptr) throw not_offered();
    fabric_ = opened<fid_fabric>("fi_fabric", [&](fid_fabric** made) {
      return libfabric().open_fabric(info_->fabric_attr, made, nullptr);
    });
    domain_ = opened<fid_domain>("fi_domain", [&](fid_domain** made) {
      return fi_domain(fabric_.get(), info_.get(), made, nullptr);
    });
    counter_attributes_.events = FI_CNTR_EVENTS_COMP;
    if (counts) counter_ = make_counter();
    for (side& s : sides_) open(s, capabilities, counts && &s == &sides_[1]);
    std::vector<char> address(256);
    std::size_t bytes = address.size();
    check(fi_getname(&sides_[1].end->fid, address.data(), &bytes), "fi_getname");
    const int inserted = fi_av_insert(sides_[0].others.get(), address.data(), 1, &to_, 0, nullptr);
    if (inserted != 1) throw system_error("fi_av_insert does not take an address");
    here_ = register_words(sides_[0], FI_SEND | FI_READ | FI_WRITE);
    there_ = register_words(sides_[1], FI_RECV | FI_REMOTE_READ | FI_REMOTE_WRITE);
  }

  [[nodiscard]] fid_ep* from() const { return sides_[0].end.get(); }
  [[nodiscard]] fid_ep* to_end() const { return sides_[1].end.get(); }
  [[nodiscard]] fi_addr_t to() const { return to_; }
  [[nodiscard]] std::array<std::uint64_t, 64>& here() { return sides_[0].words; }
  [[nodiscard]] std::array<std::uint64_t, 64>& there() { return sides_[1].words; }
  [[nodiscard]] void* here_description() const { return fi_mr_desc(here_.get()); }
  [[nodiscard]] void* there_description() const { return fi_mr_desc(there_.get()); }
  [[nodiscard]] std::uint64_t there_address() const {
    const bool by_address = (info_->domain_attr->mr_mode & FI_MR_VIRT_ADDR) != 0;
    return by_address ? reinterpret_cast<std::uint64_t>(sides_[1].words.data()) : 0;
  }
  [[nodiscard]] std::uint64_t key() const { return fi_mr_key(there_.get()); }
  [[nodiscard]] fid_cntr* counter() const { return counter_.get(); }
  [[nodiscard]] fid_mr* region() const { return there_.get(); }
  void queue(fi_deferred_work& work) {
    check(fi_control(&domain_->fid, FI_QUEUE_WORK, &work), "FI_QUEUE_WORK");
  }
  void cancel(fi_deferred_work& work) {
    check(fi_control(&domain_->fid, FI_CANCEL_WORK, &work), "FI_CANCEL_WORK");
  }
  owned<fid_cntr> make_counter() {
    return opened<fid_cntr>("fi_cntr_open", [&](fid_cntr** made) {
      return fi_cntr_open(domain_.get(), &counter_attributes_, made, nullptr);
    });
  }
  [[nodiscard]] fi_context2& context() { return contexts_.emplace_back(); }

  // Returns the next completion of the second endpoint; counts completions of the first endpoint.
  std::optional<fi_cq_data_entry> poll() {
    if (read(sides_[0])) ++ended_here_;
    return read(sides_[1]);
  }
  template <typename Condition>
  bool poll_until(const Condition& is_so, std::chrono::milliseconds limit = max_wait) {
    const auto until = std::chrono::steady_clock::now() + limit;
    for (;;) {
      if (auto entry = poll()) arrived_.push_back(*entry);
      if (is_so()) return true;
      if (std::chrono::steady_clock::now() > until) return false;
    }
  }
  [[nodiscard]] const std::vector<fi_cq_data_entry>& arrived() const { return arrived_; }
  [[nodiscard]] int ended_here() const { return ended_here_; }

  // Repeats the call until the provider takes the operation: the provider may have to connect
  // first.
  template <typename Call>
  void begin(const char* function, const Call& call) {
    ssize_t code = -FI_EAGAIN;
    poll_until([&] { return (code = call()) != -FI_EAGAIN; });
    check(code, function);
  }
  // Puts one word. Returns whether the word has arrived.
  bool put(std::size_t word, std::uint64_t value) {
    here()[word] = value;
    iovec local{&here()[word], sizeof value};
    fi_rma_iov remote{there_address() + word * sizeof value, sizeof value, key()};
    void* description = here_description();
    const fi_msg_rma all{.msg_iov = &local,
                         .desc = &description,
                         .iov_count = 1,
                         .addr = to(),
                         .rma_iov = &remote,
                         .rma_iov_count = 1,
                         .context = &context(),
                         .data = 0};
    const int before = ended_here_;
    begin("fi_writemsg",
          [&] { return fi_writemsg(from(), &all, FI_COMPLETION | FI_DELIVERY_COMPLETE); });
    return poll_until([&] { return ended_here_ > before; }) && there()[word] == value;
  }

 private:
  struct side {
    std::array<std::uint64_t, 64> words{};
    owned<fid_av> others;
    owned<fid_cq> ended;
    owned<fid_ep> end;
  };

  void open(side& s, std::uint64_t capabilities, bool counts) {
    fi_av_attr table{};
    table.type = info_->domain_attr->av_type == FI_AV_MAP ? FI_AV_MAP : FI_AV_TABLE;
    s.others = opened<fid_av>("fi_av_open", [&](fid_av** made) {
      return fi_av_open(domain_.get(), &table, made, nullptr);
    });
    fi_cq_attr queue{};
    queue.size = 256;
    queue.format = FI_CQ_FORMAT_DATA;
    s.ended = opened<fid_cq>("fi_cq_open", [&](fid_cq** made) {
      return fi_cq_open(domain_.get(), &queue, made, nullptr);
    });
    s.end = opened<fid_ep>("fi_endpoint", [&](fid_ep** made) {
      return fi_endpoint(domain_.get(), info_.get(), made, nullptr);
    });
    check(fi_ep_bind(s.end.get(), &s.others->fid, 0), "fi_ep_bind");
    check(fi_ep_bind(s.end.get(), &s.ended->fid, FI_TRANSMIT | FI_RECV), "fi_ep_bind");
    if ((capabilities & FI_MULTI_RECV) != 0) use_up_buffers(s);
    if (counts) {
      check(fi_ep_bind(s.end.get(), &counter_->fid, FI_REMOTE_WRITE), "fi_ep_bind of a counter");
    }
    check(fi_enable(s.end.get()), "fi_enable");
  }
  // A buffer for several messages is released when the buffer has no room for the shortest message,
  // and not when there is room for little more. (The option is set before the endpoint is enabled:
  // some providers read the option then, and never again.)
  static void use_up_buffers(side& s) {
    std::size_t least = sizeof s.words[0];
    check(fi_setopt(&s.end->fid, FI_OPT_ENDPOINT, FI_OPT_MIN_MULTI_RECV, &least, sizeof least),
          "fi_setopt");
  }
  owned<fid_mr> register_words(side& s, std::uint64_t access) {
    auto region = opened<fid_mr>("fi_mr_reg", [&](fid_mr** made) {
      return fi_mr_reg(domain_.get(), s.words.data(), sizeof s.words, access, 0, ++last_key_, 0,
                       made, nullptr);
    });
    if ((info_->domain_attr->mr_mode & FI_MR_ENDPOINT) != 0) {
      check(fi_mr_bind(region.get(), &s.end->fid, 0), "fi_mr_bind");
      check(fi_mr_enable(region.get()), "fi_mr_enable");
    }
    return region;
  }
  std::optional<fi_cq_data_entry> read(side& s) {
    fi_cq_data_entry entry{};
    const ssize_t found = fi_cq_read(s.ended.get(), &entry, 1);
    if (found == -FI_EAGAIN) return std::nullopt;
    if (found == -FI_EAVAIL) {
      fi_cq_err_entry error{};
      check(fi_cq_readerr(s.ended.get(), &error, 0), "fi_cq_readerr");
      throw system_error("fails: " + text_of(error.err));
    }
    check(found, "fi_cq_read");
    return entry;
  }

  info_list info_;
  owned<fid_fabric> fabric_;
  owned<fid_domain> domain_;
  fi_cntr_attr counter_attributes_{};
  owned<fid_cntr> counter_;
  std::array<side, 2> sides_;
  owned<fid_mr> here_;
  owned<fid_mr> there_;
  fi_addr_t to_ = FI_ADDR_UNSPEC;
  std::uint64_t last_key_ = 0;
  std::deque<fi_context2> contexts_;
  std::vector<fi_cq_data_entry> arrived_;
  int ended_here_ = 0;
};

std::string but_only(std::uint64_t seen) {
  std::ostringstream text;
  text << "says so, but only " << seen << " of 3 are seen";
  return text.str();
}

// Sends three messages into one posted buffer.
std::string append(const std::string& provider) {
  pair p(provider, FI_MSG | FI_MULTI_RECV);
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
  pair p(provider, FI_RMA);
  if (!p.put(3, 42)) return "says so, but what was put is not there";
  const int before = p.ended_here();
  p.begin("fi_read", [&] {
    return fi_read(p.from(), &p.here()[5], sizeof p.here()[5], p.here_description(), p.to(),
                   p.there_address() + 3 * sizeof p.here()[5], p.key(), &p.context());
  });
  const bool is_here = p.poll_until([&] { return p.ended_here() > before; });
  return is_here && p.here()[5] == 42 ? works : "says so, but what was got is not here";
}

std::string put_three(pair& p, fid_cntr* counter) {
  for (std::uint64_t i = 0; i < 3; ++i) {
    if (!p.put(i, i + 1)) return "says so, but what was put is not there";
  }
  if (p.poll_until([&] { return fi_cntr_read(counter) == 3; })) return works;
  return but_only(fi_cntr_read(counter));
}

std::string counter_of_endpoint(const std::string& provider) {
  pair p(provider, FI_RMA | FI_RMA_EVENT, true);
  return put_three(p, p.counter());
}

std::string counter_of_region(const std::string& provider) {
  pair p(provider, FI_RMA | FI_RMA_EVENT);
  const owned<fid_cntr> counter = p.make_counter();
  check(fi_mr_bind(p.region(), &counter->fid, FI_REMOTE_WRITE), "fi_mr_bind of a counter");
  return put_three(p, counter.get());
}

std::string data_of_put(const std::string& provider) {
  pair p(provider, FI_RMA);
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
  pair p(provider, FI_RMA | FI_ATOMIC);
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
  pair p(provider, FI_MSG | FI_TRIGGER);
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

// --- Deferred work -------------------------------------------------------------------------------

constexpr std::uint64_t for_deferred = FI_RMA | FI_ATOMIC | FI_RMA_EVENT | FI_TRIGGER;
constexpr auto time_to_fire = std::chrono::milliseconds(50);

// Waits without calls of libfabric: `is_so` looks at memory.
template <typename Condition>
bool happens_by_itself(const Condition& is_so) {
  const auto until = std::chrono::steady_clock::now() + max_wait;
  while (!is_so()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

std::uint64_t seen(const std::uint64_t& word) {
  return std::atomic_ref<const std::uint64_t>(word).load(std::memory_order_acquire);
}

// A deferred put of one word.
class deferred_put {
 public:
  deferred_put(pair& p, std::size_t from, std::size_t into, fid_cntr* when, std::uint64_t threshold,
               fid_cntr* done)
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
  pair p(provider, for_deferred);
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
  pair p(provider, for_deferred);
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
  // Work that is due already fires when queued.
  p.queue(add);
  return p.poll_until([&] { return fi_cntr_read(next.get()) == 6; }) ? works
                                                                     : "does not fire if it is due";
}

std::string sum_by_itself(const std::string& provider) {
  pair p(provider, for_deferred);
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

// Tries two thresholds that one jump reaches.
std::string order_of_firing(const std::string& provider) {
  pair p(provider, for_deferred);
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
  pair p(provider, for_deferred);
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

std::string names_of_providers() {
  const info_list all = find({}, 0);
  std::set<std::string> names;
  for (const fi_info* one = all.get(); one != nullptr; one = one->next) {
    names.insert(one->fabric_attr->prov_name);
  }
  std::string text;
  for (const std::string& name : names) text += name + '\n';
  return text;
}

std::string answer_of(const probed_feature& f, const std::string& provider) {
  // Without this setting the provider sockets waits for some milliseconds before it does anything.
  setenv("FI_SOCKETS_PE_WAITTIME", "0", 0);
  try {
    return f.attempt(provider);
  } catch (const not_offered&) {
    return "no";
  }
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

const std::array<probed_feature, 5> probed_deferring{{
    {"deferred put", put_by_itself},
    {"deferred add", add_by_itself},
    {"deferred sum", sum_by_itself},
    {"in order", order_of_firing},
    {"cancelled", cancelling},
}};

std::string probe_providers() {
  constexpr int first = 18;
  constexpr int others = 13;
  std::ostringstream table;
  const auto write = [&table](const std::string& text, int columns) {
    table << std::left << std::setw(columns) << text;
  };
  std::vector<std::string> long_answers;
  // Returns the answer, or the number of a long answer.
  const auto shortened = [&](const std::string& answer) -> std::string {
    if (answer.size() < others) return answer;
    const auto found = std::ranges::find(long_answers, answer);
    const auto number = found - long_answers.begin() + 1;
    if (found == long_answers.end()) long_answers.push_back(answer);
    std::ostringstream text;
    text << '(' << number << ')';
    return text.str();
  };
  const std::string all_names = isolated(names_of_providers, max_attempt);
  const auto write_table = [&](std::span<const probed_feature> features) {
    const auto columns_of = [&](const probed_feature& f) {
      return &f == &features.back() ? 0 : others;
    };
    write("provider", first);
    for (const probed_feature& f : features) write(f.name, columns_of(f));
    table << '\n';
    std::istringstream names(all_names);
    for (std::string name; std::getline(names, name);) {
      write(name, first);
      for (const probed_feature& f : features) {
        write(shortened(isolated([&] { return answer_of(f, name); }, max_attempt)), columns_of(f));
      }
      table << '\n';
    }
  };
  write_table(probed_features);
  table << '\n';
  write_table(probed_deferring);
  for (std::size_t i = 0; i < long_answers.size(); ++i) {
    table << '(' << i + 1 << ") " << long_answers[i] << '\n';
  }
  return table.str();
}

}  // namespace boxcar::detail::ofi
