// Items with their source, their destination and their number, and an account of sent items.
#pragma once

#include <atomic>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

#include "support/shared_array.hpp"

namespace boxcar::test {

struct numbered_item {
  std::int32_t from;
  std::int32_t to;
  std::uint64_t number;  // counts the items from the source to the destination
  std::uint64_t check;

  [[nodiscard]] std::uint64_t expected_check() const {
    return number * 1000003 + static_cast<std::uint64_t>(from) * 4099 +
           static_cast<std::uint64_t>(to);
  }
};

// Shared counts of the items from each PE to each PE. Made before the world is started.
class sent_items {
 public:
  explicit sent_items(int pes) : pes_(static_cast<std::size_t>(pes)), sent_(pes_ * pes_) {}

  // Called before the item is sent.
  numbered_item next(int from, int to) {
    const std::uint64_t number = count(from, to).fetch_add(1, std::memory_order_relaxed);
    numbered_item item{from, to, number, 0};
    item.check = item.expected_check();
    return item;
  }
  std::atomic<std::uint64_t>& count(int from, int to) {
    return sent_[static_cast<std::size_t>(from) * pes_ + static_cast<std::size_t>(to)];
  }

 private:
  std::size_t pes_;
  shared_array<std::atomic<std::uint64_t>> sent_;
};

// Checks the arrivals of a PE: every item once, and the items of a source in order.
class arrived_at {
 public:
  arrived_at(int pes, int rank) : rank_(rank), next_(static_cast<std::size_t>(pes)) {}

  void take(const numbered_item& item) {
    ASSERT_EQ(item.to, rank_);
    ASSERT_EQ(item.check, item.expected_check());
    ASSERT_EQ(item.number, next_[static_cast<std::size_t>(item.from)]++) << "from " << item.from;
  }

  void expect_all(sent_items& sent) const {
    for (std::size_t from = 0; from < next_.size(); ++from) {
      EXPECT_EQ(next_[from], sent.count(static_cast<int>(from), rank_).load()) << "from " << from;
    }
  }

 private:
  int rank_;
  std::vector<std::uint64_t> next_;
};

}  // namespace boxcar::test
