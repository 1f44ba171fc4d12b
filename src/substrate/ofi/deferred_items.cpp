#include "substrate/ofi/deferred_items.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <deque>
#include <limits>
#include <map>
#include <utility>
#include <variant>
#include <vector>

#include <boxcar/arithmetic.hpp>
#include <boxcar/error.hpp>

#include "substrate/ofi/call.hpp"
#include "substrate/ofi/due_actions.hpp"

namespace boxcar::detail::ofi {
namespace {

// Some providers keep counts in an int.
constexpr std::uint64_t largest_count = std::numeric_limits<std::int32_t>::max();

std::size_t bytes_of_one(number_type type) {
  if (type == number_type::float32) return 4;
  if (type == number_type::float64) return 8;
  return std::size_t{1} << static_cast<unsigned>(type) / 2;
}

fi_datatype data_type_of(number_type type) {
  constexpr std::array<fi_datatype, 10> all{FI_INT8,   FI_UINT8, FI_INT16,  FI_UINT16, FI_INT32,
                                            FI_UINT32, FI_INT64, FI_UINT64, FI_FLOAT,  FI_DOUBLE};
  return all[static_cast<std::size_t>(type)];
}

fi_op operation_of(arithmetic how) {
  constexpr std::array<fi_op, 10> all{FI_SUM, FI_PROD, FI_MIN,  FI_MAX, FI_BAND,
                                      FI_BOR, FI_BXOR, FI_LAND, FI_LOR, FI_LXOR};
  return all[static_cast<std::size_t>(how)];
}

// The items of deferred work. The provider keeps pointers into an item until the item has been
// executed. Further members serve the PE if the PE executes the item itself.
struct put_item {
  fi_deferred_work work{};
  fi_op_rma how{};
  deferring_endpoint::put_parts parts;
  std::byte* into = nullptr;  // the target, if in memory of this PE
  int pe = 0;                 // else: the target PE
};
struct combine_item {
  fi_deferred_work work{};
  fi_op_atomic how{};
  fi_ioc local{};
  fi_rma_ioc remote{};
  void* description = nullptr;
  std::byte* into = nullptr;
  std::size_t bytes = 0;
  number_type type{};
  arithmetic rule{};
  deferred_work::combining by_the_pe = nullptr;
};
struct increment_item {
  fi_deferred_work work{};
  fi_op_cntr by{};
};

class deferred_items final : public deferred_work {
 public:
  deferred_items(std::shared_ptr<deferring_endpoint> at, std::size_t piece_bytes)
      : at_(std::move(at)),
        piece_bytes_(std::min<std::size_t>(piece_bytes, at_->info().ep_attr->max_msg_size)),
        actions_([this](std::size_t c) { return value(static_cast<counter>(c)); }) {
    at_->add(this, [this](const void* context) { return name(context); });
  }
  deferred_items(const deferred_items&) = delete;
  deferred_items& operator=(const deferred_items&) = delete;
  // The destructor closes regions before the counters bound to the regions.
  ~deferred_items() override {
    at_->forget(this);
    regions_.clear();
    for (counting& c : counters_) {
      if (c.network != nullptr) at_->give_back(std::move(c.network));
    }
    at_->give_back_operations(booked_);
  }

  [[nodiscard]] std::string carrier() const override {
    return "libfabric's provider " + at_->provider();
  }
  [[nodiscard]] std::uint64_t most_counted() const override { return largest_count; }

  [[nodiscard]] counter make_counter() override {
    counters_.push_back({at_->make_counter()});
    const auto made = static_cast<counter>(counters_.size() - 1);
    if (!is_of_pe(made)) by_network_.push_back(made);
    return made;
  }
  [[nodiscard]] place let_in(std::span<std::byte> memory, counter puts) override {
    if (!is_of_pe(puts)) return regions_.emplace_back(*at_, memory, true, network(puts)).place();
    place there = regions_.emplace_back(*at_, memory, true, nullptr).place();
    there.told =
        at_->add_notification(this, pieces(memory.size()), [this, puts] { increment(puts); });
    return there;
  }
  [[nodiscard]] std::span<const std::byte> address() const override { return at_->address(); }
  void connect(int pe, std::span<const std::byte> address) override {
    connected_[pe] = at_->connect(address);
  }

  [[nodiscard]] std::uint64_t pieces(std::size_t bytes) const override {
    return (bytes + piece_bytes_ - 1) / piece_bytes_;
  }
  void put(due when, std::span<const std::byte> from, int pe, place into, counter done) override {
    put(when, from, {.pe = pe, .address = connected_.at(pe), .at = into}, done);
  }
  void copy(due when, std::span<const std::byte> from, std::span<std::byte> into,
            counter done) override {
    const place there = regions_.emplace_back(*at_, into, true, nullptr).place();
    put(when, from, {.memory = into.data(), .address = at_->myself(), .at = there}, done);
  }

  [[nodiscard]] std::uint64_t pieces(number_type type, arithmetic how,
                                     std::size_t bytes) const override {
    // Providers order two floating-point numbers differently if either is NaN or both are 0.
    const bool is_float = type == number_type::float32 || type == number_type::float64;
    if (is_float && (how == arithmetic::minimum || how == arithmetic::maximum)) return 0;
    std::size_t numbers = 0;
    const int code = fi_atomicvalid(at_->end(), data_type_of(type), operation_of(how), &numbers);
    if (code != 0 || numbers == 0) return 0;
    const std::size_t most = numbers * bytes_of_one(type);
    return (bytes + most - 1) / most;
  }
  void combine(due when, std::span<const std::byte> from, std::span<std::byte> into,
               number_type type, arithmetic how, counter done, combining by_the_pe) override {
    const place there = regions_.emplace_back(*at_, into, true, nullptr).place();
    void* const description = describe(from);
    std::size_t numbers = 0;
    check(fi_atomicvalid(at_->end(), data_type_of(type), operation_of(how), &numbers),
          "fi_atomicvalid");
    const std::size_t most = numbers * bytes_of_one(type);
    for (std::size_t at = 0; at < from.size(); at += most) {
      const auto piece = from.subspan(at, std::min(most, from.size() - at));
      const std::size_t count = piece.size() / bytes_of_one(type);
      combine_item& item = combines_.emplace_back();
      item.local = {const_cast<std::byte*>(piece.data()), count};
      item.remote = {there.address + at, count, there.key};
      item.description = description;
      item.how.ep = at_->end();
      item.how.msg = {.msg_iov = &item.local,
                      .desc = &item.description,
                      .iov_count = 1,
                      .addr = at_->myself(),
                      .rma_iov = &item.remote,
                      .rma_iov_count = 1,
                      .datatype = data_type_of(type),
                      .op = operation_of(how),
                      .context = &item.work.context,
                      .data = 0};
      item.how.flags = FI_DELIVERY_COMPLETE;
      item.into = into.data() + at;
      item.bytes = piece.size();
      item.type = type;
      item.rule = how;
      item.by_the_pe = by_the_pe;
      item.work.op_type = FI_OP_ATOMIC;
      item.work.op.atomic = &item.how;
      add_operation({when, &item, done});
    }
  }
  void increment(due when, counter which) override {
    increment_item& item = increments_.emplace_back();
    item.by = {network(which), 1};
    item.work.op_type = FI_OP_CNTR_ADD;
    item.work.op.cntr = &item.by;
    add({when, &item, which}, true);
  }
  void call(due when, std::function<bool()> what, counter done) override {
    ++share_.operations;
    ++share_.calls;
    actions_.add(index(when.of), when.times, [this, what = std::move(what), done] {
      if (what()) increment(done);
      return true;
    });
  }
  [[nodiscard]] const share& shared() const override { return share_; }

  void queue(std::uint64_t run) override {
    at_->look();
    std::erase_if(queued_, [&](const deferred& d) {
      fi_deferred_work& work = work_of(d);
      work.threshold = run * d.when.times;
      const int code = at_->queue(work);
      if (code == 0) return false;
      ++share_.refused;
      share_.why_refused = "fi_control (FI_QUEUE_WORK): " + text_of(code);
      leave(d);
      return true;
    });
    actions_.begin(run);
  }
  void increment(counter which) override {
    counting& c = counters_[index(which)];
    if (c.network == nullptr) {
      ++c.counted;
      actions_.mark_moved(index(which));
      return;
    }
    // Release: earlier writes of the PE are visible to operations triggered by the counter.
    std::atomic_thread_fence(std::memory_order_release);
    check(fi_cntr_add(c.network.get(), 1), "fi_cntr_add");
  }
  [[nodiscard]] std::uint64_t value(counter which) const override {
    const counting& c = counters_[index(which)];
    if (c.network == nullptr) return c.counted;
    const std::uint64_t is = fi_cntr_read(c.network.get());
    // Acquire, with the provider's count: data counted by the provider are visible.
    std::atomic_thread_fence(std::memory_order_acquire);
    return is;
  }
  void require_success() override {
    at_->look();
    for (const counter c : by_network_) {
      if (fi_cntr_readerr(network(c)) == 0) continue;
      throw system_error("work that was deferred to " + carrier() +
                         " has failed: a counter of the network tells of it, and not why");
    }
  }
  bool work() override {
    look_at_counters();
    return actions_.perform();
  }
  [[nodiscard]] bool has_work() override {
    look_at_counters();
    return at_->is_putting(this) || actions_.any_due();
  }
  void cancel() noexcept override {
    actions_.clear();
    // The program may free the buffers of the operations after `cancel`.
    const auto is_cancelled = [this](const deferred& d) { return at_->cancel(work_of(d)); };
    if (at_->is_putting(this) || !std::ranges::all_of(queued_, is_cancelled)) at_->shut();
    regions_.clear();  // other PEs can no longer put into the memory
  }

 private:
  struct counting {
    owned<fid_cntr> network;  // nullptr: the PE counts
    std::uint64_t counted = 0;
  };
  struct target {
    std::byte* memory = nullptr;  // if the target is memory of this PE
    int pe = 0;                   // else: the target PE
    fi_addr_t address = 0;
    place at = {};
  };
  struct deferred {
    due when;
    std::variant<put_item*, combine_item*, increment_item*> what;
    counter done;
  };

  [[nodiscard]] static std::size_t index(counter c) { return static_cast<std::size_t>(c); }
  [[nodiscard]] fid_cntr* network(counter c) const { return counters_[index(c)].network.get(); }
  [[nodiscard]] bool is_of_pe(counter c) const { return network(c) == nullptr; }
  [[nodiscard]] bool has_counters(const deferred& d) const {
    return !is_of_pe(d.when.of) && !is_of_pe(d.done);
  }
  [[nodiscard]] static fi_deferred_work& work_of(const deferred& d) {
    return std::visit([](auto* item) -> fi_deferred_work& { return item->work; }, d.what);
  }
  [[nodiscard]] void* describe(std::span<const std::byte> from) {
    const std::span<std::byte> memory(const_cast<std::byte*>(from.data()), from.size());
    return regions_.emplace_back(*at_, memory, false, nullptr).description();
  }
  void put(due when, std::span<const std::byte> from, const target& to, counter done) {
    void* const description = describe(from);
    for (std::size_t at = 0; at < from.size(); at += piece_bytes_) {
      const auto piece = from.subspan(at, std::min(piece_bytes_, from.size() - at));
      put_item& item = puts_.emplace_back();
      item.parts = {{const_cast<std::byte*>(piece.data()), piece.size()},
                    {to.at.address + at, piece.size(), to.at.key},
                    description};
      item.how = at_->put_of(item.parts, to.address, &item.work.context, to.at.told);
      item.into = to.memory == nullptr ? nullptr : to.memory + at;
      item.pe = to.pe;
      item.work.op_type = FI_OP_WRITE;
      item.work.op.rma = &item.how;
      add_operation({when, &item, done});
    }
  }
  void add_operation(const deferred& d) {
    work_of(d).completion_cntr = network(d.done);
    const bool has_room = has_counters(d) && at_->book_operation();
    if (has_room) ++booked_;
    add(d, has_room);
  }
  void add(const deferred& d, bool has_room) {
    ++share_.operations;
    if (has_counters(d) && has_room) {
      work_of(d).triggering_cntr = network(d.when.of);
      queued_.push_back(d);
      return;
    }
    ++share_.no_room;
    share_.why_no_room = has_counters(d) ? at_->why_no_operation() : at_->why_no_counter();
    leave(d);
  }

  // --- Left to the PE ----------------------------------------------------------------------------
  void leave(const deferred& d) {
    actions_.add(index(d.when.of), d.when.times, [this, d] {
      return std::visit([&](auto* item) { return perform(item, d.done); }, d.what);
    });
  }
  bool perform(const increment_item* /*item*/, counter done) {
    increment(done);
    return true;
  }
  bool perform(const combine_item* item, counter done) {
    item->by_the_pe(item->type, item->rule, item->into,
                    static_cast<const std::byte*>(item->local.addr), item->bytes);
    increment(done);
    return true;
  }
  bool perform(const put_item* item, counter done) {
    if (item->into == nullptr) {
      return at_->put_now(this, item->how, [this, done] { increment(done); });
    }
    const iovec& from = item->parts.local;
    std::memcpy(item->into, from.iov_base, from.iov_len);
    increment(done);
    return true;
  }
  void look_at_counters() {
    for (const counter c : by_network_) actions_.mark_moved(index(c));
  }
  // Returns a description of the operation with the context; empty if no item has the context.
  [[nodiscard]] std::string name(const void* context) const {
    for (const put_item& item : puts_) {
      if (&item.work.context != context) continue;
      const std::string bytes = std::to_string(item.parts.local.iov_len) + " bytes";
      if (item.into != nullptr) return "a copy of " + bytes;
      return "a put of " + bytes + " to PE " + std::to_string(item.pe);
    }
    for (const combine_item& item : combines_) {
      if (&item.work.context != context) continue;
      return "combining " + std::to_string(item.bytes) + " bytes of numbers";
    }
    return {};
  }

  std::shared_ptr<deferring_endpoint> at_;
  std::size_t piece_bytes_;
  std::vector<counting> counters_;
  std::vector<counter> by_network_;  // counters of the provider
  std::deque<deferring_endpoint::region> regions_;
  std::map<int, fi_addr_t> connected_;
  // The deques keep items in place.
  std::deque<put_item> puts_;
  std::deque<combine_item> combines_;
  std::deque<increment_item> increments_;
  std::vector<deferred> queued_;  // operations to queue in each run
  due_actions actions_;
  std::size_t booked_ = 0;  // operations that have room at the endpoint
  share share_;
};

}  // namespace

std::unique_ptr<deferred_work> make_deferred_items(std::shared_ptr<deferring_endpoint> at,
                                                   std::size_t piece_bytes) {
  return std::make_unique<deferred_items>(std::move(at), piece_bytes);
}

}  // namespace boxcar::detail::ofi
