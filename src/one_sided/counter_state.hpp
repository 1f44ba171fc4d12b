// The state of a counter on one PE.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>

#include <boxcar/counter.hpp>
#include <boxcar/detail/pe_table.hpp>

#include "one_sided/rpc_engine.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

class counter_state final : public remote_object {
 public:
  using word = std::atomic<std::int64_t>;

  // Collective.
  counter_state(substrate& world, rpc_engine& rpc, std::uint64_t number,
                const counter_options& options);

  // Returns the value of this PE's counter. Data put before an addition are visible to a PE that
  // has seen the sum.
  [[nodiscard]] std::int64_t value() const {
    const std::int64_t seen = mine_->load(std::memory_order_acquire);
    return seen < 0 ? largest : seen;  // another PE is about to store `largest`
  }
  void set(std::int64_t value) { mine_->store(value, std::memory_order_release); }
  void wait(std::int64_t at_least);
  bool test(std::int64_t at_least);
  void add(int pe, std::int64_t n);
  // Adds to the counter of a PE of this node. Precondition: the data have been written.
  void add_here(int pe, std::int64_t n);

  // Returns the amount that an operation on `bytes` bytes adds.
  [[nodiscard]] std::int64_t worth(std::size_t bytes) const {
    return what == counts::bytes ? static_cast<std::int64_t>(bytes) : 1;
  }

  // Returns the number that a put to a PE of another node carries, so that the network counts the
  // put (put_counter.hpp); 0: the number is unknown yet, or does not exist.
  [[nodiscard]] std::uint64_t number_at(int pe);
  // Returns whether the number is known, or may become known.
  [[nodiscard]] bool may_have_number_at(int pe);
  // Asks the PE for the number, unless the number is known.
  void ask_number(int pe);

  void execute(const request& r, std::span<const std::byte> data, reply_room& reply) override;
  void count(std::size_t bytes) override;
  void opened() override { memory_->seal(); }

  substrate& world;
  const std::uint64_t number;
  const counts what;
  const bool receiver_adds;

 private:
  struct known_number {
    std::uint64_t number = 0;
    bool is_known = false;
  };
  static constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

  // Adds to a counter, which stays at `largest` once reached. (Always inlined: the compiler sees
  // the constant order.)
  [[gnu::always_inline]] static void add_to(word& counter, std::int64_t n,
                                            std::memory_order order) {
    if (n > largest_step) [[unlikely]]
      return add_much(counter, n);
    add_little(counter, n, order);
  }
  // Adds n up to `largest_step`. A sum beyond `largest` is negative, and stays negative, whatever
  // other PEs add, until a PE has stored `largest`.
  [[gnu::always_inline]] static void add_little(word& counter, std::int64_t n,
                                                std::memory_order order) {
    const auto before = static_cast<std::uint64_t>(counter.fetch_add(n, order));
    if (static_cast<std::int64_t>(before + static_cast<std::uint64_t>(n)) < 0) [[unlikely]] {
      counter.store(largest, std::memory_order_seq_cst);
    }
  }
  // Adds by compare and swap: two large additions could lead past all negative numbers before one
  // of the PEs has stored `largest`.
  static void add_much(word& counter, std::int64_t n);
  static constexpr std::int64_t largest_step = std::int64_t{1} << 32;

  [[nodiscard]] known_number number_known_at(int pe);
  [[nodiscard]] word& of_place(int local_rank) const {
    return *reinterpret_cast<word*>(memory_->block(local_rank));
  }

  rpc_engine& rpc_;
  std::unique_ptr<node_memory> memory_;
  word* mine_;
  // The counter of the network, if the network notifies this PE of puts, and the numbers received
  // from other PEs.
  std::unique_ptr<put_counter> by_puts_;
  std::unique_ptr<pe_table<known_number>> numbers_;
};

// Gives other one-sided objects access to the state of a counter.
struct counter_access {
  static counter_state& state(const counter& c, const char* operation);
};

}  // namespace boxcar::detail
