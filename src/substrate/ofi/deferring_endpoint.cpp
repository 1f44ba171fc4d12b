#include "substrate/ofi/deferring_endpoint.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <limits>
#include <rdma/fi_cm.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <thread>
#include <utility>

#include <boxcar/error.hpp>

#include "substrate/cluster/refusal.hpp"
#include "substrate/memory_errors.hpp"
#include "substrate/ofi/call.hpp"
#include "substrate/ofi/random_number.hpp"

namespace boxcar::detail::ofi {
namespace {

// A PE without an answer after max_connect_time is taken to be unreachable; the test of the
// provider has failed after max_proof.
constexpr auto max_connect_time = std::chrono::seconds(10);
constexpr auto max_proof = std::chrono::seconds(2);
constexpr std::uint64_t proof = 0x626f786361720042;

// The maximum number of notifying puts in flight to the PE; the completion queue has room for all.
constexpr std::size_t max_notifications = 2048;
// The fraction 1 / one_is_put_now_of of the room for operations is reserved for immediate puts of
// the PE.
constexpr std::size_t one_is_put_now_of = 16;

template <typename Condition>
bool wait_until(const Condition& is_so, std::chrono::milliseconds limit) {
  const auto until = std::chrono::steady_clock::now() + limit;
  while (!is_so()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  return true;
}

}  // namespace

std::string why_not_deferring(const fi_info& like) {
  if (find_deferring(like) != nullptr) return {};
  return "libfabric's provider " + name_of(like) +
         " has no triggered operations (FI_TRIGGER) with counters of puts and atomics; "
         "BOXCAR_OFI_PROVIDER names another one (`boxcar info --probe` lists those that have)";
}

deferring_endpoint::deferring_endpoint(const fi_info& like)
    : word_(std::make_unique<std::uint64_t>(0)) {
  open(like);
  prove();
}

deferring_endpoint::~deferring_endpoint() {
  shut();
}

void deferring_endpoint::open(const fi_info& like) {
  info_ = find_deferring(like);
  if (info_ == nullptr) throw system_error(why_not_deferring(like));
  fi_info& info = *info_;
  keys_.emplace(info.domain_attr->mr_key_size);
  fabric_ = opened<fid_fabric>("fi_fabric", [&](fid_fabric** made) {
    return libfabric().open_fabric(info.fabric_attr, made, nullptr);
  });
  domain_ = opened<fid_domain>("fi_domain", [&](fid_domain** made) {
    return fi_domain(fabric_.get(), &info, made, nullptr);
  });
  fi_av_attr table{};
  table.type = info.domain_attr->av_type == FI_AV_MAP ? FI_AV_MAP : FI_AV_TABLE;
  addresses_ = opened<fid_av>("fi_av_open", [&](fid_av** made) {
    return fi_av_open(domain_.get(), &table, made, nullptr);
  });
  // The queue `ended_` receives failures and completions of immediate puts; successful deferred
  // work is only counted.
  fi_cq_attr queue{};
  queue.size = info.tx_attr->size;
  queue.format = FI_CQ_FORMAT_DATA;
  queue.wait_obj = FI_WAIT_NONE;
  ended_ = opened<fid_cq>("fi_cq_open", [&](fid_cq** made) {
    return fi_cq_open(domain_.get(), &queue, made, nullptr);
  });
  queue.size = max_notifications;
  notify_queue_ = opened<fid_cq>("fi_cq_open", [&](fid_cq** made) {
    return fi_cq_open(domain_.get(), &queue, made, nullptr);
  });
  endpoint_ = opened<fid_ep>("fi_endpoint", [&](fid_ep** made) {
    return fi_endpoint(domain_.get(), &info, made, nullptr);
  });
  check(fi_ep_bind(endpoint_.get(), &addresses_->fid, 0), "fi_ep_bind");
  check(fi_ep_bind(endpoint_.get(), &ended_->fid, FI_TRANSMIT | FI_SELECTIVE_COMPLETION),
        "fi_ep_bind");
  check(fi_ep_bind(endpoint_.get(), &notify_queue_->fid, FI_RECV), "fi_ep_bind");
  check(fi_enable(endpoint_.get()), "fi_enable");

  const auto word = std::as_writable_bytes(std::span(word_.get(), 1));
  word_region_ = region(*this, word, true, nullptr);
  word_to_put_ = region(*this, word, false, nullptr);
  std::array<std::byte, 256> name{};
  std::size_t bytes = name.size();
  check(fi_getname(&endpoint_->fid, name.data(), &bytes), "fi_getname");
  const deferred_work::place place = word_region_.place();
  const auto head = std::as_bytes(std::span(&place, 1));
  address_.assign(head.begin(), head.end());
  address_.insert(address_.end(), name.begin(), name.begin() + static_cast<std::ptrdiff_t>(bytes));
  myself_ = connect(address_);
}

// Tests the provider: a put waits, fires, and is counted at the target and at the origin; the count
// at the origin triggers an increment.
void deferring_endpoint::prove() {
  const std::string who = "libfabric's provider " + provider() + " says that it defers work, but ";
  std::uint64_t from = proof;
  std::uint64_t into = 0;
  const owned<fid_cntr> begin = make_counter();
  const owned<fid_cntr> arrived = make_counter();
  const owned<fid_cntr> done = make_counter();
  const owned<fid_cntr> last = make_counter();
  if (last == nullptr) throw system_error(who + why_no_counter());
  counters_ -= 4;
  const region source(*this, std::as_writable_bytes(std::span(&from, 1)), false, nullptr);
  const region target(*this, std::as_writable_bytes(std::span(&into, 1)), true, arrived.get());
  put_parts parts{{&from, sizeof from},
                  {target.place().address, sizeof into, target.place().key},
                  source.description()};
  fi_deferred_work put{};
  fi_op_rma how = put_of(parts, myself_, &put.context);
  put.threshold = 1;
  put.triggering_cntr = begin.get();
  put.completion_cntr = done.get();
  put.op_type = FI_OP_WRITE;
  put.op.rma = &how;
  fi_op_cntr by{last.get(), 1};
  fi_deferred_work count{};
  count.threshold = 1;
  count.triggering_cntr = done.get();
  count.op_type = FI_OP_CNTR_ADD;
  count.op.cntr = &by;
  check(queue(count), "fi_control (FI_QUEUE_WORK)");
  check(queue(put), "fi_control (FI_QUEUE_WORK)");
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const bool waits = fi_cntr_read(last.get()) == 0 && fi_cntr_read(arrived.get()) == 0;
  check(fi_cntr_add(begin.get(), 1), "fi_cntr_add");
  const bool fires = wait_until([&] { return fi_cntr_read(last.get()) == 1; }, max_proof);
  const bool counts = fires && fi_cntr_read(arrived.get()) == 1;
  if (!fires) shut();  // the put may fire later
  if (!waits) throw system_error(who + "does not wait for counters");
  if (!fires) throw system_error(who + "a put that waits for a counter is not carried out");
  if (!counts) throw system_error(who + "does not count what is put into registered memory");
  if (into != proof) throw system_error(who + "counts a put that is not there");
}

std::uint64_t deferring_endpoint::take_key() {
  if (const auto key = keys_->take()) return *key;
  throw_refusal<shortage>(provider() +
                          " has no key left for more registered memory: keep fewer schedules");
}

owned<fid_cntr> deferring_endpoint::make_counter() {
  const std::size_t most = info_->domain_attr->cntr_cnt;
  if (most != 0 && counters_ == most) return nullptr;
  fi_cntr_attr attributes{};
  attributes.events = FI_CNTR_EVENTS_COMP;
  attributes.wait_obj = FI_WAIT_NONE;
  auto made = opened<fid_cntr>("fi_cntr_open", [&](fid_cntr** counter) {
    return fi_cntr_open(domain_.get(), &attributes, counter, nullptr);
  });
  ++counters_;
  return made;
}

std::string deferring_endpoint::why_no_counter() const {
  return provider() + " has " + std::to_string(info_->domain_attr->cntr_cnt) +
         " counters, and all are in use: keep fewer or smaller schedules";
}

void deferring_endpoint::give_back(owned<fid_cntr> counter) {
  counter.reset();
  --counters_;
}

std::size_t deferring_endpoint::room_to_put_now() const {
  return std::max<std::size_t>(info_->tx_attr->size / one_is_put_now_of, 1);
}

std::size_t deferring_endpoint::max_operations() const {
  const std::size_t all = info_->tx_attr->size;
  return all - std::min(all, room_to_put_now());
}

bool deferring_endpoint::book_operation() {
  if (operations_ == max_operations()) return false;
  ++operations_;
  return true;
}

std::string deferring_endpoint::why_no_operation() const {
  return provider() + " has room for " + std::to_string(max_operations()) +
         " operations at a time, and all is in use: keep fewer or smaller schedules";
}

deferring_endpoint::region::region(deferring_endpoint& at, std::span<std::byte> memory,
                                   bool by_others, fid_cntr* puts)
    : at_(&at) {
  const int mode = at.info_->domain_attr->mr_mode;
  if (!by_others && (mode & FI_MR_LOCAL) == 0) return;
  const std::uint64_t access = by_others ? FI_REMOTE_READ | FI_REMOTE_WRITE : FI_READ | FI_WRITE;
  address_ = (mode & FI_MR_VIRT_ADDR) != 0 ? reinterpret_cast<std::uint64_t>(memory.data()) : 0;
  key_ = (mode & FI_MR_PROV_KEY) != 0 ? 0 : at.take_key();
  made_ = opened<fid_mr>("fi_mr_reg", [&](fid_mr** made) {
    return fi_mr_reg(at.domain_.get(), memory.data(), memory.size(), access, 0, key_, 0, made,
                     nullptr);
  });
  if (puts != nullptr) {
    check(fi_mr_bind(made_.get(), &puts->fid, FI_REMOTE_WRITE), "fi_mr_bind of a counter");
  }
  if ((mode & FI_MR_ENDPOINT) != 0) {
    check(fi_mr_bind(made_.get(), &at.endpoint_->fid, 0), "fi_mr_bind");
    check(fi_mr_enable(made_.get()), "fi_mr_enable");
  }
}

deferring_endpoint::region::region(region&& other) noexcept
    : at_(other.at_), made_(std::move(other.made_)), address_(other.address_), key_(other.key_) {}

deferring_endpoint::region& deferring_endpoint::region::operator=(region&& other) noexcept {
  close();
  at_ = other.at_;
  made_ = std::move(other.made_);
  address_ = other.address_;
  key_ = other.key_;
  return *this;
}

void deferring_endpoint::region::close() noexcept {
  if (made_ == nullptr) return;
  made_.reset();
  if ((at_->info_->domain_attr->mr_mode & FI_MR_PROV_KEY) == 0) at_->keys_->give_back(key_);
}

// --- Other PEs -----------------------------------------------------------------------------------

// `connect` connects the PEs first: without a connection a provider may refuse work when the work
// fires, and the work is lost.
fi_addr_t deferring_endpoint::connect(std::span<const std::byte> address) {
  // The provider reads as many bytes as its addresses have.
  deferred_work::place word;
  const bool may_differ = info_->addr_format == FI_ADDR_STR && address.size() > sizeof word;
  if (address.size() != address_.size() && !may_differ) {
    throw_refusal("a PE has sent an address of " + std::to_string(address.size()) +
                  " bytes for deferred work, and those of " + provider() + " have " +
                  std::to_string(address_.size()));
  }
  std::memcpy(&word, address.data(), sizeof word);
  const auto name = address.subspan(sizeof word);
  const std::string text(reinterpret_cast<const char*>(name.data()), name.size());
  if (const auto found = connected_.find(text); found != connected_.end()) return found->second;
  fi_addr_t there = FI_ADDR_UNSPEC;
  const int inserted = fi_av_insert(addresses_.get(), name.data(), 1, &there, 0, nullptr);
  check(inserted, "fi_av_insert");
  if (inserted != 1) throw system_error("fi_av_insert does not take the address of a PE");
  put_word(there, word);
  return connected_[text] = there;
}

void deferring_endpoint::put_word(fi_addr_t to, const deferred_work::place& there) {
  put_parts parts{{word_.get(), sizeof *word_},
                  {there.address, sizeof *word_, there.key},
                  word_to_put_.description()};
  const fi_op_rma put = put_of(parts, to, nullptr);
  bool is_begun = false;
  bool is_there = false;
  const auto arrives = [&] {
    if (!is_begun) is_begun = put_now(this, put, [&is_there] { is_there = true; });
    look();
    return is_there;
  };
  const bool has_arrived = wait_until(arrives, max_connect_time);
  // A put in flight stays, with the memory of the put.
  forget(this);
  if (has_arrived) return;
  throw system_error(provider() + " does not reach a PE with which work is to be deferred");
}

// --- Work ----------------------------------------------------------------------------------------

fi_op_rma deferring_endpoint::put_of(put_parts& parts, fi_addr_t to, void* context,
                                     std::uint64_t told) const {
  fi_op_rma put{};
  put.ep = endpoint_.get();
  put.msg = {.msg_iov = &parts.local,
             .desc = &parts.description,
             .iov_count = 1,
             .addr = to,
             .rma_iov = &parts.remote,
             .rma_iov_count = 1,
             .context = context,
             .data = told};
  put.flags = FI_DELIVERY_COMPLETE | (told != 0 ? FI_REMOTE_CQ_DATA : 0);
  return put;
}

int deferring_endpoint::queue(fi_deferred_work& work) {
  return fi_control(&domain_->fid, FI_QUEUE_WORK, &work);
}

bool deferring_endpoint::cancel(fi_deferred_work& work) noexcept {
  return endpoint_ == nullptr || fi_control(&domain_->fid, FI_CANCEL_WORK, &work) == 0;
}

void deferring_endpoint::shut() noexcept {
  endpoint_.reset();
  if (problem_.empty()) {
    problem_ = "a run was given up, and " + std::string(info_ ? provider() : "the provider") +
               " cannot cancel what waits: from then on this world has no deferred work";
  }
}

// --- By the PE -----------------------------------------------------------------------------------

void deferring_endpoint::forget(user who) noexcept {
  users_.erase(who);
  for (auto& [context, one] : posted_) {
    if (one->by != who) continue;
    one->by = nullptr;
    one->ended = nullptr;
  }
  std::erase_if(notifications_, [&](const auto& one) {
    if (one.second.who != who) return false;
    max_notifications_in_flight_ -= one.second.at_a_time;
    return true;
  });
}

bool deferring_endpoint::put_now(user who, const fi_op_rma& put, std::function<void()> ended) {
  if (posted_.size() == room_to_put_now()) return false;
  auto one = std::make_unique<posted>();
  one->by = who;
  one->known_as = put.msg.context;
  one->ended = std::move(ended);
  fi_msg_rma all = put.msg;
  all.context = &one->context;
  const ssize_t code = fi_writemsg(endpoint_.get(), &all, put.flags | FI_COMPLETION);
  if (code == -FI_EAGAIN) return false;
  if (code != 0) {
    problem_ = failure_of(put.msg.context, "fi_writemsg: " + ofi::text_of(code));
    return false;
  }
  posted_[&one->context] = std::move(one);
  return true;
}

bool deferring_endpoint::is_putting(user who) const {
  return std::ranges::any_of(posted_, [&](const auto& one) { return one.second->by == who; });
}

std::uint64_t deferring_endpoint::add_notification(user who, std::size_t at_a_time,
                                                   std::function<void()> arrived) {
  if (info_->domain_attr->cq_data_size < sizeof(std::uint32_t)) {
    throw_refusal<shortage>(why_no_counter() + "; and puts bring no data with them");
  }
  if (max_notifications_in_flight_ + at_a_time > max_notifications) {
    throw_refusal<shortage>(why_no_counter() + "; and the queue of what it is told instead has " +
                            std::to_string(max_notifications) + " places, and all are in use");
  }
  max_notifications_in_flight_ += at_a_time;
  // The number is random, so a put from outside the job matches no entry.
  std::uint64_t number = 0;
  do {
    number = random_number() & std::numeric_limits<std::uint32_t>::max();
  } while (number == 0 || notifications_.contains(number));
  notifications_[number] = {who, at_a_time, std::move(arrived)};
  return number;
}

std::string deferring_endpoint::failure_of(const void* context, const std::string& why) const {
  std::string what;
  for (const auto& [who, names] : users_) {
    if (what.empty()) what = names(context);
  }
  return (what.empty() ? "work" : what) + " that was deferred to libfabric's provider " +
         provider() + " has failed: " + why +
         "; leave schedules to adapters (schedule_carrier::adapter), or name another provider in "
         "BOXCAR_OFI_PROVIDER";
}

std::string deferring_endpoint::problem_in(fid_cq& queue) {
  fi_cq_err_entry error{};
  if (fi_cq_readerr(&queue, &error, 0) != 1 || error.err == FI_ECANCELED) return {};
  const void* context = error.op_context;
  if (const auto found = posted_.find(context); found != posted_.end()) {
    context = found->second->known_as;
    posted_.erase(found);
  }
  std::string why = ofi::text_of(error.err);
  std::array<char, 256> words{};
  const char* more =
      fi_cq_strerror(&queue, error.prov_errno, error.err_data, words.data(), words.size());
  if (more != nullptr && *more != '\0') why += std::string(" (") + more + ")";
  return failure_of(context, why);
}

void deferring_endpoint::look() {
  fi_cq_data_entry entry{};
  ssize_t found = 0;
  while (problem_.empty() && (found = fi_cq_read(notify_queue_.get(), &entry, 1)) == 1) {
    // Acquire, with the provider's completion: the data of the put are visible.
    std::atomic_thread_fence(std::memory_order_acquire);
    const auto told = notifications_.find(entry.data);
    if (told != notifications_.end()) told->second.arrived();
  }
  if (found == -FI_EAVAIL) problem_ = problem_in(*notify_queue_);
  while (problem_.empty() && (found = fi_cq_read(ended_.get(), &entry, 1)) == 1) {
    const auto ended = posted_.find(entry.op_context);
    if (ended == posted_.end()) continue;
    const auto one = std::move(ended->second);
    posted_.erase(ended);
    if (one->ended) one->ended();
  }
  if (found == -FI_EAVAIL && problem_.empty()) problem_ = problem_in(*ended_);
  if (!problem_.empty()) throw_refusal(problem_);
}

}  // namespace boxcar::detail::ofi
