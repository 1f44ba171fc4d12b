// Tests of the order of operations that wait for a counter, against a sorted list.
#include "trigger/waiting_operations.hpp"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <tuple>
#include <vector>

#include "support/dice.hpp"

namespace boxcar::test::waiting_operations_test {
namespace {

using detail::no_record;

struct expected {
  std::uint64_t threshold;
  std::uint64_t asked;
  std::uint32_t record;
};

// Adds and takes in turns, thresholds anywhere between the sum and so much more.
void compare(std::uint64_t seed, int spread, bool ascending) {
  constexpr std::uint32_t room = 300;
  std::vector<detail::operation_record> all(room);
  detail::waiting_record record;
  detail::waiting_operations waiting(all.data(), record);
  std::vector<std::uint32_t> free;
  for (std::uint32_t i = 0; i < room; ++i) free.push_back(i);
  std::vector<expected> model;
  dice d(seed);
  std::uint64_t asked = 0;
  std::uint64_t sum = 0;
  std::uint64_t highest = 0;
  for (int step = 0; step < 3000; ++step) {
    if (d.below(3) != 0 && !free.empty()) {
      const std::uint32_t i = free.back();
      free.pop_back();
      const auto further = static_cast<std::uint64_t>(d.below(spread));
      highest += further;
      all[i].threshold = ascending ? highest : sum + further;
      all[i].asked = ++asked;
      waiting.add(i);
      model.push_back({all[i].threshold, asked, i});
    } else {
      sum += static_cast<std::uint64_t>(d.below(1 + spread / 8));
    }
    ASSERT_EQ(record.count, model.size());
    for (;;) {
      const auto first = std::ranges::min_element(
          model, {}, [](const expected& e) { return std::tuple(e.threshold, e.asked); });
      const std::uint32_t taken = waiting.take(sum);
      if (first == model.end() || first->threshold > sum) {
        ASSERT_EQ(taken, no_record);
        break;
      }
      ASSERT_EQ(taken, first->record);
      free.push_back(taken);
      model.erase(first);
    }
  }
}

TEST(waiting_operations, come_in_the_order_of_thresholds_then_of_asking) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (const int spread : {1, 3, 100, 100'000}) {
      compare(seed, spread, false);
      compare(seed, spread, true);
    }
  }
}

TEST(waiting_operations, do_not_come_before_their_time) {
  std::vector<detail::operation_record> all(1);
  detail::waiting_record record;
  detail::waiting_operations waiting(all.data(), record);
  EXPECT_EQ(waiting.take(~std::uint64_t{0}), no_record);
  all[0].threshold = ~std::uint64_t{0};
  waiting.add(0);
  EXPECT_EQ(waiting.take(~std::uint64_t{0} - 1), no_record);
  EXPECT_EQ(waiting.take(~std::uint64_t{0}), 0U);
  EXPECT_EQ(waiting.take(~std::uint64_t{0}), no_record);
}

}  // namespace
}  // namespace boxcar::test::waiting_operations_test
