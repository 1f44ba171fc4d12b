// The state of a counter on one PE.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>

#include <boxcar/counter.hpp>
#include <boxcar/detail/pe_table.hpp>

#include "one_sided/request_desk.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

class counter_state final : public reachable {
 public:
  using word = std::atomic<std::int64_t>;

  // Collective.
  counter_state(substrate& world, request_desk& desk, std::uint64_t number,
                const counter_options& options);

  // This PE's counter. What was added before is visible to a PE that has seen the sum.
  [[nodiscard]] std::int64_t value() const {
    const std::int64_t seen = mine_->load(std::memory_order_acquire);
    return seen < 0 ? largest : seen;  // somebody is about to store the largest number
  }
  void set(std::int64_t value) { mine_->store(value, std::memory_order_release); }
  void wait(std::int64_t at_least);
  bool test(std::int64_t at_least);
  void add(int pe, std::int64_t n);
  // To a PE of this node, whose data have been written.
  void add_here(int pe, std::int64_t n);

  // What an operation on so many bytes adds.
  [[nodiscard]] std::int64_t worth(std::size_t bytes) const {
    return what == counts::bytes ? static_cast<std::int64_t>(bytes) : 1;
  }

  // What is to be given with a put to a PE of another node that the network tells it of; 0: that
  // is not known yet, or does not exist.
  [[nodiscard]] std::uint64_t number_at(int pe);
  // It may come to be known, if it is not.
  [[nodiscard]] bool may_have_number_at(int pe);
  // Asks the PE, unless it is known.
  void ask_number(int pe);

  void carry_out(const request& r, std::span<const std::byte> data, reply_room& reply) override;
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

  // A counter stays at the largest number. (The compiler is to see the order where it is written
  // down.)
  [[gnu::always_inline]] static void add_to(word& counter, std::int64_t n,
                                            std::memory_order order) {
    if (n > largest_step) [[unlikely]]
      return add_much(counter, n);
    add_little(counter, n, order);
  }
  // The same for n of up to `largest_step`. A sum beyond the largest number is negative, and stays
  // so, whatever others add, until one of them has stored the largest number.
  [[gnu::always_inline]] static void add_little(word& counter, std::int64_t n,
                                                std::memory_order order) {
    const auto before = static_cast<std::uint64_t>(counter.fetch_add(n, order));
    if (static_cast<std::int64_t>(before + static_cast<std::uint64_t>(n)) < 0) [[unlikely]] {
      counter.store(largest, std::memory_order_seq_cst);
    }
  }
  // By compare and swap: two such additions could lead past all negative numbers before one of them
  // has stored the largest number.
  static void add_much(word& counter, std::int64_t n);
  static constexpr std::int64_t largest_step = std::int64_t{1} << 32;

  [[nodiscard]] known_number number_known_at(int pe);
  [[nodiscard]] word& of_place(int local_rank) const {
    return *reinterpret_cast<word*>(memory_->block(local_rank));
  }

  request_desk& desk_;
  std::unique_ptr<node_memory> memory_;
  word* mine_;
  // If the network tells this PE of puts, and what others have told of themselves.
  std::unique_ptr<put_counter> by_puts_;
  std::unique_ptr<pe_table<known_number>> numbers_;
};

// How the other one-sided parts reach what is in it.
struct counter_access {
  static counter_state& state(const counter& c, const char* operation);
};

}  // namespace boxcar::detail
