#include "substrate/ofi/deferring_endpoint.hpp"

#include <array>
#include <chrono>
#include <cstring>
#include <rdma/fi_cm.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <sched.h>
#include <thread>
#include <utility>

#include <boxcar/error.hpp>

#include "substrate/cluster/refusal.hpp"
#include "substrate/memory_errors.hpp"
#include "substrate/ofi/call.hpp"

namespace boxcar::detail::ofi {
namespace {

// Whoever does not answer in this time is taken to be out of reach; what does not happen, not to
// happen.
constexpr auto longest_meeting = std::chrono::seconds(10);
constexpr auto longest_proof = std::chrono::seconds(2);
constexpr std::uint64_t proof = 0x626f786361720042;

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
  fabric_ = opened<fid_fabric>(
      "fi_fabric", [&](fid_fabric** made) { return fi_fabric(info.fabric_attr, made, nullptr); });
  domain_ = opened<fid_domain>("fi_domain", [&](fid_domain** made) {
    return fi_domain(fabric_.get(), &info, made, nullptr);
  });
  fi_av_attr table{};
  table.type = info.domain_attr->av_type == FI_AV_MAP ? FI_AV_MAP : FI_AV_TABLE;
  addresses_ = opened<fid_av>("fi_av_open", [&](fid_av** made) {
    return fi_av_open(domain_.get(), &table, made, nullptr);
  });
  // Of failures, and of the words of those that meet; work that is carried out well is only
  // counted.
  fi_cq_attr queue{};
  queue.size = info.tx_attr->size;
  queue.format = FI_CQ_FORMAT_DATA;
  queue.wait_obj = FI_WAIT_NONE;
  ended_ = opened<fid_cq>("fi_cq_open", [&](fid_cq** made) {
    return fi_cq_open(domain_.get(), &queue, made, nullptr);
  });
  endpoint_ = opened<fid_ep>("fi_endpoint", [&](fid_ep** made) {
    return fi_endpoint(domain_.get(), &info, made, nullptr);
  });
  check(fi_ep_bind(endpoint_.get(), &addresses_->fid, 0), "fi_ep_bind");
  check(fi_ep_bind(endpoint_.get(), &ended_->fid, FI_TRANSMIT | FI_RECV | FI_SELECTIVE_COMPLETION),
        "fi_ep_bind");
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
  myself_ = meet(address_);
}

// A put waits, fires, is counted where it goes to and where it comes from, and by that an increment
// fires.
void deferring_endpoint::prove() {
  const std::string who = "libfabric's provider " + provider() + " says that it defers work, but ";
  std::uint64_t from = proof;
  std::uint64_t into = 0;
  const owned<fid_cntr> begin = make_counter();
  const owned<fid_cntr> arrived = make_counter();
  const owned<fid_cntr> done = make_counter();
  const owned<fid_cntr> last = make_counter();
  counters_ -= 4;
  const region source(*this, std::as_writable_bytes(std::span(&from, 1)), false, nullptr);
  const region target(*this, std::as_writable_bytes(std::span(&into, 1)), true, arrived.get());
  iovec local{&from, sizeof from};
  fi_rma_iov remote{target.place().address, sizeof into, target.place().key};
  void* description = source.description();
  fi_deferred_work put{};
  fi_op_rma how{};
  how.ep = endpoint_.get();
  how.msg = {.msg_iov = &local,
             .desc = &description,
             .iov_count = 1,
             .addr = myself_,
             .rma_iov = &remote,
             .rma_iov_count = 1,
             .context = &put.context,
             .data = 0};
  how.flags = FI_DELIVERY_COMPLETE;
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
  queue(count);
  queue(put);
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const bool waits = fi_cntr_read(last.get()) == 0 && fi_cntr_read(arrived.get()) == 0;
  check(fi_cntr_add(begin.get(), 1), "fi_cntr_add");
  const bool fires = wait_until([&] { return fi_cntr_read(last.get()) == 1; }, longest_proof);
  const bool counts = fires && fi_cntr_read(arrived.get()) == 1;
  if (!fires) shut();  // it may yet fire
  if (!waits) throw system_error(who + "does not wait for counters");
  if (!fires) throw system_error(who + "a put that waits for a counter is not carried out");
  if (!counts) throw system_error(who + "does not count what is put into registered memory");
  if (into != proof) throw system_error(who + "counts a put that is not there");
}

std::uint64_t deferring_endpoint::take_key() {
  if (!old_keys_.empty()) {
    const std::uint64_t key = old_keys_.back();
    old_keys_.pop_back();
    return key;
  }
  return next_key_++;
}

owned<fid_cntr> deferring_endpoint::make_counter() {
  const std::size_t most = info_->domain_attr->cntr_cnt;
  if (most != 0 && counters_ == most) {
    throw_refusal<shortage>(provider() + " has " + std::to_string(most) +
                            " counters, and all are in use: keep fewer or smaller schedules");
  }
  fi_cntr_attr attributes{};
  attributes.events = FI_CNTR_EVENTS_COMP;
  attributes.wait_obj = FI_WAIT_NONE;
  auto made = opened<fid_cntr>("fi_cntr_open", [&](fid_cntr** counter) {
    return fi_cntr_open(domain_.get(), &attributes, counter, nullptr);
  });
  ++counters_;
  return made;
}

void deferring_endpoint::give_back(owned<fid_cntr> counter) {
  counter.reset();
  --counters_;
}

void deferring_endpoint::book_operation() {
  const std::size_t most = info_->tx_attr->size;
  if (operations_ == most) {
    throw_refusal<shortage>(provider() + " has room for " + std::to_string(most) +
                            " operations at a time, and all is in use: keep fewer or smaller "
                            "schedules");
  }
  ++operations_;
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
  if ((at_->info_->domain_attr->mr_mode & FI_MR_PROV_KEY) == 0) at_->old_keys_.push_back(key_);
}

// --- Others --------------------------------------------------------------------------------------

// What waits for a counter may be refused when it fires, and is then lost, if a connection has to
// be made first.
fi_addr_t deferring_endpoint::meet(std::span<const std::byte> address) {
  deferred_work::place word;
  std::memcpy(&word, address.data(), sizeof word);
  const auto name = address.subspan(sizeof word);
  const std::string text(reinterpret_cast<const char*>(name.data()), name.size());
  if (const auto found = met_.find(text); found != met_.end()) return found->second;
  fi_addr_t there = FI_ADDR_UNSPEC;
  const int inserted = fi_av_insert(addresses_.get(), name.data(), 1, &there, 0, nullptr);
  check(inserted, "fi_av_insert");
  if (inserted != 1) throw system_error("fi_av_insert does not take the address of a PE");
  put_word(there, word);
  return met_[text] = there;
}

void deferring_endpoint::put_word(fi_addr_t to, const deferred_work::place& there) {
  iovec local{word_.get(), sizeof *word_};
  fi_rma_iov remote{there.address, sizeof *word_, there.key};
  void* description = word_to_put_.description();
  // Not ended when this gives up: it stays, with what it names.
  auto context = std::make_unique<fi_context2>();
  const fi_msg_rma all{.msg_iov = &local,
                       .desc = &description,
                       .iov_count = 1,
                       .addr = to,
                       .rma_iov = &remote,
                       .rma_iov_count = 1,
                       .context = context.get(),
                       .data = 0};
  const auto until = std::chrono::steady_clock::now() + longest_meeting;
  ssize_t code = -FI_EAGAIN;
  bool is_there = false;
  while (!is_there && std::chrono::steady_clock::now() < until) {
    if (code == -FI_EAGAIN) {
      code = fi_writemsg(endpoint_.get(), &all, FI_COMPLETION | FI_DELIVERY_COMPLETE);
      if (code != -FI_EAGAIN) check(code, "fi_writemsg");
    }
    fi_cq_data_entry entry{};
    const ssize_t found = fi_cq_read(ended_.get(), &entry, 1);
    is_there = found == 1 && entry.op_context == context.get();
    if (found == -FI_EAVAIL) require_success();
    if (found == -FI_EAGAIN) sched_yield();
  }
  if (is_there) return;
  static_cast<void>(context.release());
  throw system_error(provider() + " does not reach a PE with which work is to be deferred");
}

// --- Work ----------------------------------------------------------------------------------------

void deferring_endpoint::queue(fi_deferred_work& work) {
  require_success();
  check(fi_control(&domain_->fid, FI_QUEUE_WORK, &work), "fi_control (FI_QUEUE_WORK)");
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

void deferring_endpoint::require_success() {
  if (problem_.empty()) {
    fi_cq_data_entry entry{};
    const ssize_t found = fi_cq_read(ended_.get(), &entry, 1);
    if (found != -FI_EAVAIL) return;
    fi_cq_err_entry error{};
    if (fi_cq_readerr(ended_.get(), &error, 0) != 1 || error.err == FI_ECANCELED) return;
    std::array<char, 256> words{};
    const char* more =
        fi_cq_strerror(ended_.get(), error.prov_errno, error.err_data, words.data(), words.size());
    problem_ = "work deferred to " + provider() + " has failed: " + ofi::text_of(error.err);
    if (more != nullptr && *more != '\0') problem_ += std::string(" (") + more + ")";
  }
  throw_refusal(problem_);
}

}  // namespace boxcar::detail::ofi
