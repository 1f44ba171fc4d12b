// Tests of the queue behind the replies of elastic biconveyors against a std::deque, for all sizes
// of items; the queue keeps no more memory than small items need.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <gtest/gtest.h>
#include <span>
#include <vector>

#include <boxcar/detail/elastic_queue.hpp>

#include "support/dice.hpp"

namespace boxcar::test::elastic_queue_test {
namespace {

using detail::elastic_queue;
using item = std::vector<std::byte>;

static_assert(sizeof(elastic_queue) == 64);

item some_item(std::size_t bytes, std::uint64_t seed) {
  item made(bytes);
  for (std::byte& b : made) b = static_cast<std::byte>(scramble(++seed));
  return made;
}

bool same(std::span<const std::byte> found, const item& expected) {
  return std::ranges::equal(found, expected);
}

void play(std::uint64_t number) {
  SCOPED_TRACE("program " + std::to_string(number));
  dice d(program_seed(number));
  elastic_queue queue;
  std::deque<item> expected;
  const auto pop = [&] {
    ASSERT_FALSE(queue.empty());
    ASSERT_TRUE(same(queue.pop(), expected.front()));
    expected.pop_front();
  };
  for (int step = 0; step < 400 && !testing::Test::HasFailure(); ++step) {
    if (d.chance(55)) {
      for (int n = d.below(20); n > 0; --n) {
        const auto bytes = d.pick<std::size_t>({0, 1, 7, 8, 9, 15, 16, 17, 24, 100, 999, 5000});
        expected.push_back(some_item(bytes, d.next()));
        queue.push(expected.back());
      }
    } else {
      for (int n = d.below(30); n > 0 && !expected.empty(); --n) pop();
    }
    // A query changes internal limits, so it must not always be done.
    if (d.chance(30)) {
      EXPECT_EQ(queue.empty(), expected.empty());
    }
    if (expected.empty() && d.chance(20)) queue.release();
  }
  while (!expected.empty() && !testing::Test::HasFailure()) pop();
  EXPECT_TRUE(queue.empty());
}

TEST(elastic_queue, does_what_a_deque_does) {
  for (std::uint64_t number = 0; number < 100 && !HasFailure(); ++number) play(number);
}

TEST(elastic_queue, leaves_an_item_where_it_is_until_the_next_push) {
  elastic_queue queue;
  const item large = some_item(std::size_t{3} << 20, 1);
  queue.push(large);
  ASSERT_FALSE(queue.empty());
  EXPECT_TRUE(same(queue.pop(), large));
}

TEST(elastic_queue, holds_little_unless_there_are_large_items) {
  elastic_queue queue;
  EXPECT_EQ(queue.memory_bytes(), 0U);
  for (int round = 0; round < 1000; ++round) {
    for (int i = 0; i < 20; ++i) queue.push(some_item(8, 0));
    int popped = 0;
    for (; !queue.empty(); ++popped) static_cast<void>(queue.pop());
    EXPECT_EQ(popped, 20);
  }
  EXPECT_LE(queue.memory_bytes(), 1024U);
  queue.push(some_item(std::size_t{3} << 20, 0));
  EXPECT_GT(queue.memory_bytes(), std::size_t{3} << 20);
  ASSERT_FALSE(queue.empty());
  static_cast<void>(queue.pop());
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.memory_bytes(), 0U);
}

}  // namespace
}  // namespace boxcar::test::elastic_queue_test
