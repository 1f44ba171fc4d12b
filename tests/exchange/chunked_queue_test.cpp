// Tests of queues with shared memory for their elements, against std::deque.
#include <algorithm>
#include <deque>
#include <gtest/gtest.h>
#include <random>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <boxcar/detail/chunked_queue.hpp>

namespace boxcar::detail::chunked_queue_test {
namespace {

template <typename T>
T nth(unsigned n) {
  if constexpr (std::is_same_v<T, std::string>) {
    return std::string(n % 40, 'x') + std::to_string(n);  // some of them on the heap
  } else if constexpr (std::is_same_v<T, bool>) {
    return n * n % 7 < 3;
  } else {
    return n;
  }
}

template <typename T>
class chunked_queues : public testing::Test {
 protected:
  explicit chunked_queues(std::size_t elements = 8) : memory_(elements) {}

  void push(std::size_t queue, T value) {
    expected_[queue].push_back(value);
    queues_[queue].push(std::move(value), memory_);
  }

  // Pops at most `most` elements; returns the length of the contiguous run.
  std::size_t pop(std::size_t queue, std::size_t most) {
    const std::span<T> oldest = queues_[queue].oldest();
    const std::size_t n = std::min(most, oldest.size());
    for (const T& element : oldest.first(n)) {
      EXPECT_EQ(element, expected_[queue].front());
      expected_[queue].pop_front();
    }
    queues_[queue].drop(n, memory_);
    return n;
  }

  static constexpr std::size_t queues = 3;
  chunk_pool<T> memory_;
  std::vector<chunked_queue<T>> queues_{queues};
  std::vector<std::deque<T>> expected_{queues};
};

static_assert(sizeof(chunked_queue<int>) == 64);

using element_types = testing::Types<unsigned, std::string, bool>;
TYPED_TEST_SUITE(chunked_queues, element_types);

TYPED_TEST(chunked_queues, keep_their_order) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    const unsigned tendency = 1 + seed % 7;  // out of 8, to push
    for (unsigned step = 0; step < 500; ++step) {
      const std::size_t queue = random() % this->queues;
      if (random() % 8 < tendency) {
        this->push(queue, nth<TypeParam>(step));
      } else if (!this->expected_[queue].empty()) {
        const std::size_t most = 1 + random() % 12;
        const std::size_t popped = this->pop(queue, most);
        EXPECT_GE(popped, 1U);
        EXPECT_LE(popped, most);
      }
    }
    for (std::size_t queue = 0; queue < this->queues; ++queue) {
      while (!this->expected_[queue].empty()) ASSERT_GE(this->pop(queue, 100), 1U);
    }
  }
}

TYPED_TEST(chunked_queues, hand_out_what_lies_in_a_row) {
  for (unsigned i = 0; i < 20; ++i) this->push(0, nth<TypeParam>(i));
  EXPECT_EQ(this->pop(0, 3), 3U);
  EXPECT_EQ(this->pop(0, 100), 5U) << "to the end of the chunk";
  EXPECT_EQ(this->pop(0, 100), 8U);
  EXPECT_EQ(this->pop(0, 100), 4U) << "all that there is";
  EXPECT_TRUE(this->queues_[0].oldest().empty());
  this->push(0, nth<TypeParam>(20));
  EXPECT_EQ(this->pop(0, 100), 1U);
}

// Chunks whose elements are written later, of other lengths than the pool's, after partly written
// chunks.
TYPED_TEST(chunked_queues, can_be_extended_by_what_is_written_later) {
  unsigned value = 0;
  for (const unsigned length : {8U, 3U, 1U}) {
    this->push(0, nth<TypeParam>(value++));
    TypeParam* const later = this->queues_[0].extend(length, this->memory_);
    for (unsigned i = 0; i < length; ++i, ++value) {
      later[i] = nth<TypeParam>(value);
      this->expected_[0].push_back(nth<TypeParam>(value));
    }
  }
  this->push(0, nth<TypeParam>(value));
  while (!this->expected_[0].empty()) ASSERT_GE(this->pop(0, 2), 1U);
  EXPECT_TRUE(this->queues_[0].oldest().empty());
}

// The next chunk is the last chunk given back.
TYPED_TEST(chunked_queues, share_their_chunks) {
  auto* const first = this->memory_.take();
  auto* const second = this->memory_.take();
  EXPECT_NE(first, second);
  this->memory_.give_back(first);
  this->memory_.give_back(second);
  for (unsigned round = 0; round < 10; ++round) {
    const std::size_t queue = round % this->queues;
    for (unsigned i = 0; i < 16; ++i) this->push(queue, nth<TypeParam>(i));
    while (!this->expected_[queue].empty()) this->pop(queue, 100);
  }
  // Two chunks were enough for all elements: read chunks are given back at once.
  auto* const one = this->memory_.take();
  auto* const other = this->memory_.take();
  EXPECT_TRUE((one == first && other == second) || (one == second && other == first));
}

}  // namespace
}  // namespace boxcar::detail::chunked_queue_test
