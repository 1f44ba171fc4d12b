#include "substrate/ofi/deferred_items.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <boxcar/adapter.hpp>
#include <boxcar/error.hpp>

#include "substrate/ofi/call.hpp"

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

// What is given to the provider, which keeps pointers to it until it has been carried out.
struct put_item {
  fi_deferred_work work{};
  fi_op_rma how{};
  iovec local{};
  fi_rma_iov remote{};
  void* description = nullptr;
};
struct combine_item {
  fi_deferred_work work{};
  fi_op_atomic how{};
  fi_ioc local{};
  fi_rma_ioc remote{};
  void* description = nullptr;
};
struct increment_item {
  fi_deferred_work work{};
  fi_op_cntr by{};
};
struct waiting {
  fi_deferred_work* work;
  std::uint64_t times;
};

class deferred_items final : public deferred_work {
 public:
  deferred_items(std::shared_ptr<deferring_endpoint> at, std::size_t piece_bytes)
      : at_(std::move(at)),
        piece_bytes_(std::min<std::size_t>(piece_bytes, at_->info().ep_attr->max_msg_size)) {}
  deferred_items(const deferred_items&) = delete;
  deferred_items& operator=(const deferred_items&) = delete;
  // Before the counters, what counts there.
  ~deferred_items() override {
    regions_.clear();
    for (owned<fid_cntr>& c : counters_) at_->give_back(std::move(c));
    at_->give_back_operations(operations_);
  }

  [[nodiscard]] std::string carrier() const override {
    return "libfabric's provider " + at_->provider();
  }
  [[nodiscard]] std::uint64_t most_counted() const override { return largest_count; }

  [[nodiscard]] counter make_counter() override {
    counters_.push_back(at_->make_counter());
    return static_cast<counter>(counters_.size() - 1);
  }
  [[nodiscard]] place let_in(std::span<std::byte> memory, counter puts) override {
    return regions_.emplace_back(*at_, memory, true, of(puts)).place();
  }
  [[nodiscard]] std::span<const std::byte> address() const override { return at_->address(); }
  void meet(int pe, std::span<const std::byte> address) override { met_[pe] = at_->meet(address); }

  [[nodiscard]] std::uint64_t pieces(std::size_t bytes) const override {
    return (bytes + piece_bytes_ - 1) / piece_bytes_;
  }
  void put(due when, std::span<const std::byte> from, int pe, place into, counter done) override {
    put(when, from, met_.at(pe), into, done);
  }
  void copy(due when, std::span<const std::byte> from, std::span<std::byte> into,
            counter done) override {
    const place there = regions_.emplace_back(*at_, into, true, nullptr).place();
    put(when, from, at_->myself(), there, done);
  }

  [[nodiscard]] std::uint64_t pieces(number_type type, arithmetic how,
                                     std::size_t bytes) const override {
    std::size_t numbers = 0;
    const int code = fi_atomicvalid(at_->end(), data_type_of(type), operation_of(how), &numbers);
    if (code != 0 || numbers == 0) return 0;
    const std::size_t most = numbers * bytes_of_one(type);
    return (bytes + most - 1) / most;
  }
  void combine(due when, std::span<const std::byte> from, std::span<std::byte> into,
               number_type type, arithmetic how, counter done) override {
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
      item.work.op_type = FI_OP_ATOMIC;
      item.work.op.atomic = &item.how;
      item.work.completion_cntr = of(done);
      add_operation(item.work, when);
    }
  }
  void increment(due when, counter which) override {
    increment_item& item = increments_.emplace_back();
    item.by = {of(which), 1};
    item.work.op_type = FI_OP_CNTR_ADD;
    item.work.op.cntr = &item.by;
    add(item.work, when);
  }

  void queue(std::uint64_t run) override {
    for (const waiting& w : waiting_) {
      w.work->threshold = run * w.times;
      at_->queue(*w.work);
    }
  }
  void increment(counter which) override {
    // What the PE has written is there before anything is sent that waits for the counter.
    std::atomic_thread_fence(std::memory_order_release);
    check(fi_cntr_add(of(which), 1), "fi_cntr_add");
  }
  [[nodiscard]] std::uint64_t value(counter which) const override {
    const std::uint64_t is = fi_cntr_read(of(which));
    // Pairs with what the provider does before it counts: that is here.
    std::atomic_thread_fence(std::memory_order_acquire);
    return is;
  }
  void require_success() override {
    at_->require_success();
    for (const owned<fid_cntr>& c : counters_) {
      if (fi_cntr_readerr(c.get()) == 0) continue;
      throw system_error("work deferred to " + at_->provider() +
                         " has failed: a counter of the network tells of it, and not why");
    }
  }
  void cancel() noexcept override {
    for (const waiting& w : waiting_) {
      if (!at_->cancel(*w.work)) return at_->shut();
    }
  }

 private:
  [[nodiscard]] fid_cntr* of(counter c) const {
    return counters_[static_cast<std::size_t>(c)].get();
  }
  [[nodiscard]] void* describe(std::span<const std::byte> from) {
    const std::span<std::byte> memory(const_cast<std::byte*>(from.data()), from.size());
    return regions_.emplace_back(*at_, memory, false, nullptr).description();
  }
  void put(due when, std::span<const std::byte> from, fi_addr_t to, place into, counter done) {
    void* const description = describe(from);
    for (std::size_t at = 0; at < from.size(); at += piece_bytes_) {
      const auto piece = from.subspan(at, std::min(piece_bytes_, from.size() - at));
      put_item& item = puts_.emplace_back();
      item.local = {const_cast<std::byte*>(piece.data()), piece.size()};
      item.remote = {into.address + at, piece.size(), into.key};
      item.description = description;
      item.how.ep = at_->end();
      item.how.msg = {.msg_iov = &item.local,
                      .desc = &item.description,
                      .iov_count = 1,
                      .addr = to,
                      .rma_iov = &item.remote,
                      .rma_iov_count = 1,
                      .context = &item.work.context,
                      .data = 0};
      item.how.flags = FI_DELIVERY_COMPLETE;
      item.work.op_type = FI_OP_WRITE;
      item.work.op.rma = &item.how;
      item.work.completion_cntr = of(done);
      add_operation(item.work, when);
    }
  }
  void add_operation(fi_deferred_work& work, due when) {
    at_->book_operation();
    ++operations_;
    add(work, when);
  }
  void add(fi_deferred_work& work, due when) {
    work.triggering_cntr = of(when.of);
    waiting_.push_back({&work, when.times});
  }

  std::shared_ptr<deferring_endpoint> at_;
  std::size_t piece_bytes_;
  std::vector<owned<fid_cntr>> counters_;
  std::deque<deferring_endpoint::region> regions_;
  std::map<int, fi_addr_t> met_;
  // Where they are they stay.
  std::deque<put_item> puts_;
  std::deque<combine_item> combines_;
  std::deque<increment_item> increments_;
  std::vector<waiting> waiting_;
  std::size_t operations_ = 0;  // that have room at the endpoint
};

}  // namespace

std::unique_ptr<deferred_work> make_deferred_items(std::shared_ptr<deferring_endpoint> at,
                                                   std::size_t piece_bytes) {
  return std::make_unique<deferred_items>(std::move(at), piece_bytes);
}

}  // namespace boxcar::detail::ofi
