// Tests of the queue behind windows, tickets and replies against a std::deque: at all positions of
// the elements in memory, and with the full capacity.
#include <cstddef>
#include <cstdint>
#include <deque>
#include <gtest/gtest.h>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <boxcar/detail/ring.hpp>

#include "support/dice.hpp"

namespace boxcar::test::ring_test {
namespace {

using detail::ring;

static_assert(sizeof(ring<int>) == 64 && sizeof(ring<std::string>) == 64);

template <typename T>
T value_of(std::uint64_t number) {
  if constexpr (std::is_same_v<T, std::string>) {
    return "a text that is too long to lie within its object: " + std::to_string(number);
  } else if constexpr (std::is_same_v<T, bool>) {
    return scramble(number) % 2 == 1;
  } else {
    return static_cast<T>(number);
  }
}

// A queue whose elements are one T each.
template <typename T>
struct single {
  using value = T;
  static constexpr std::size_t step = 1;
  static value make_value(std::uint64_t number) { return value_of<T>(number); }
  static value at(const T* place) { return *place; }

  void make(std::size_t elements) { queue.make(elements); }
  void push(const std::vector<value>& values) {
    for (const value& v : values) {
      if (queue.has_room() && by_put) {
        queue.put(v);
      } else {
        queue.push(v);
      }
      by_put = !by_put;
    }
  }
  value pop() {
    in_place = !in_place;
    if (!in_place) return queue.pop();
    EXPECT_FALSE(queue.empty());
    value oldest = at(queue.front());
    queue.pop_front();
    return oldest;
  }
  [[nodiscard]] std::size_t capacity() const { return queue.memory_bytes() / sizeof(T); }

  ring<T> queue;
  bool by_put = false;    // the next push, if there is room
  bool in_place = false;  // the last pop
};

// A queue whose elements are `Bytes` bytes each.
template <std::size_t Bytes>
struct rows {
  using value = std::vector<std::byte>;
  static constexpr std::size_t step = Bytes;
  static value make_value(std::uint64_t number) {
    value bytes(step);
    for (std::byte& b : bytes) b = static_cast<std::byte>(scramble(++number));
    return bytes;
  }
  static value at(const std::byte* place) { return {place, place + step}; }

  void make(std::size_t elements) { queue.make(elements * step); }
  void push(const std::vector<value>& values) {
    if (values.size() == 1) return queue.push_element(values.front().data(), step);
    value row;
    for (const value& v : values) row.insert(row.end(), v.begin(), v.end());
    queue.push_row(row.data(), row.size(), step);
  }
  value pop() {
    EXPECT_FALSE(queue.empty());
    value oldest = at(queue.front());
    queue.pop_front(step);
    return oldest;
  }
  [[nodiscard]] std::size_t capacity() const { return queue.memory_bytes() / step; }

  ring<std::byte> queue;
};

// A queue, and its expected content.
template <typename Subject>
class ring_of : public testing::Test {
 protected:
  using value = typename Subject::value;

  void make(std::size_t elements) {
    subject_.make(elements);
    expected_.clear();
    closed_ = false;
    EXPECT_EQ(subject_.capacity(), elements);
    check();
  }
  void push(int n) {
    std::vector<value> values;
    for (; n > 0; --n) values.push_back(Subject::make_value(next_++));
    subject_.push(values);
    expected_.insert(expected_.end(), values.begin(), values.end());
    check();
  }
  void pop(int n = 1) {
    for (; n > 0; --n) {
      EXPECT_EQ(subject_.pop(), expected_.front());
      expected_.pop_front();
    }
    check();
  }
  void pop_all() { pop(static_cast<int>(expected_.size())); }
  void close() {
    subject_.queue.close();
    closed_ = true;
    check();
  }
  void release() {
    subject_.queue.release();
    expected_.clear();
    closed_ = false;
    EXPECT_EQ(subject_.capacity(), 0U);
    check();
  }
  void move_away_and_back() {
    const bool has_room = must_have_room();
    auto elsewhere = std::move(subject_.queue);
    EXPECT_EQ(elsewhere.has_room(), has_room);
    EXPECT_TRUE(subject_.queue.empty());
    EXPECT_FALSE(subject_.queue.has_room());
    subject_.queue = std::move(elsewhere);
    check();
  }

  // Makes a full queue with room for 4, in whose memory the newest 2 lie before the oldest 2.
  void fill_and_wrap() {
    make(4);
    push(4);
    pop(2);
    push(2);
    ASSERT_EQ(subject_.capacity(), 4U);
  }

  [[nodiscard]] bool must_have_room() const {
    return !closed_ && expected_.size() < subject_.capacity();
  }

  // A query for elements or for room changes internal limits, so it must not always be done.
  void check() {
    if (dice_.chance(50)) {
      EXPECT_EQ(subject_.queue.has_room(), must_have_room());
    }
    if (dice_.chance(50)) {
      EXPECT_EQ(subject_.queue.empty(), expected_.empty());
    }
  }

  void play(std::uint64_t number) {
    dice_ = dice(program_seed(number));
    for (int step = 0; step < 300 && !this->HasFailure(); ++step) {
      SCOPED_TRACE("program " + std::to_string(number) + ", step " + std::to_string(step));
      const int what = dice_.below(100);
      if (what < 3) {
        make(static_cast<std::size_t>(1 + dice_.below(9)));
      } else if (what < 5) {
        release();
      } else if (what < 8) {
        close();
      } else if (what < 12) {
        move_away_and_back();
      } else if (what < 55) {
        pop(dice_.below(static_cast<int>(expected_.size()) + 1));
      } else if (!closed_) {
        const bool grow = dice_.chance(20);
        const auto room = static_cast<int>(subject_.capacity() - expected_.size());
        push(dice_.below(grow ? room + 10 : room + 1));
      }
    }
    pop_all();
    EXPECT_TRUE(subject_.queue.empty());
  }

  Subject subject_;
  std::deque<value> expected_;
  bool closed_ = false;
  std::uint64_t next_ = 0;
  dice dice_{program_seed(0)};
};

using subjects =
    testing::Types<single<int>, single<std::string>, single<bool>, rows<1>, rows<3>, rows<48>>;
TYPED_TEST_SUITE(ring_of, subjects);

TYPED_TEST(ring_of, does_what_a_deque_does) {
  for (std::uint64_t number = 0; number < 200 && !this->HasFailure(); ++number) this->play(number);
}

TYPED_TEST(ring_of, has_no_memory_before_the_first_push) {
  EXPECT_EQ(this->subject_.capacity(), 0U);
  EXPECT_TRUE(this->subject_.queue.empty());
  EXPECT_FALSE(this->subject_.queue.has_room());
  this->push(1);
  EXPECT_EQ(this->subject_.capacity(), 64U);
  this->pop();
}

TYPED_TEST(ring_of, has_room_for_as_many_as_were_asked_for_wherever_it_begins) {
  for (int begin = 0; begin <= 4; ++begin) {
    this->make(4);
    this->push(begin);
    this->pop_all();
    for (int n = 0; n < 4; ++n) {
      EXPECT_TRUE(this->subject_.queue.has_room()) << n << " from " << begin;
      this->push(1);
    }
    EXPECT_FALSE(this->subject_.queue.has_room()) << begin;
    EXPECT_EQ(this->subject_.capacity(), 4U);
    this->pop_all();
  }
}

TYPED_TEST(ring_of, grows_when_wrapped) {
  this->fill_and_wrap();
  this->push(3);
  EXPECT_EQ(this->subject_.capacity(), 8U);
  this->pop_all();
}

TYPED_TEST(ring_of, that_is_closed_when_wrapped_is_only_read) {
  this->fill_and_wrap();
  this->close();
  while (!this->expected_.empty()) {
    EXPECT_FALSE(this->subject_.queue.has_room());
    this->pop();
  }
  EXPECT_TRUE(this->subject_.queue.empty());
  EXPECT_FALSE(this->subject_.queue.has_room());
  this->make(4);
  EXPECT_TRUE(this->subject_.queue.has_room());
  this->push(4);
  this->pop_all();
}

TYPED_TEST(ring_of, is_empty_when_made_again) {
  for (const std::size_t elements : {4U, 3U}) {
    this->fill_and_wrap();
    this->make(elements);
    EXPECT_TRUE(this->subject_.queue.empty());
    EXPECT_TRUE(this->subject_.queue.has_room());
  }
}

TYPED_TEST(ring_of, leaves_an_element_where_it_is_until_the_next_push) {
  this->fill_and_wrap();
  this->pop(3);
  ASSERT_FALSE(this->subject_.queue.empty());
  const auto* const place = this->subject_.queue.front();
  this->subject_.queue.pop_front(TypeParam::step);
  EXPECT_TRUE(this->subject_.queue.empty());
  EXPECT_EQ(TypeParam::at(place), this->expected_.front());
}

}  // namespace
}  // namespace boxcar::test::ring_test
