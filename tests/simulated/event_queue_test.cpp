// Tests of the turns of places: in each window places have their turns one after the other, each
// with its events by time.
#include "substrate/simulated/event_queue.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <tuple>
#include <vector>

namespace boxcar::detail::event_queue_test {
namespace {

struct planned {
  int place;
  moment at;
};

// The order of the events, by their numbers.
std::vector<std::uint32_t> order_of(std::uint64_t seed, const std::vector<planned>& events,
                                    int places, moment lookahead) {
  event_queue queue(seed, static_cast<std::size_t>(places), lookahead);
  for (std::size_t i = 0; i < events.size(); ++i) {
    queue.add(static_cast<std::size_t>(events[i].place), events[i].at, event_kind::deliver,
              static_cast<std::uint32_t>(i));
  }
  std::vector<std::uint32_t> order;
  while (!queue.empty()) {
    const event next = queue.take();
    EXPECT_EQ(next.at, events[next.which].at);
    order.push_back(next.which);
  }
  return order;
}

std::vector<planned> random_events(int count, int places, moment latest) {
  std::mt19937 random(7);
  std::vector<planned> events;
  for (int i = 0; i < count; ++i) {
    const auto place = static_cast<int>(random() % static_cast<unsigned>(places));
    events.push_back({place, static_cast<moment>(random() % static_cast<unsigned>(latest))});
  }
  return events;
}

TEST(event_queue, gives_places_their_turns) {
  constexpr int places = 9;
  constexpr moment lookahead = 100;
  const std::vector<planned> events = random_events(5000, places, 10'000);
  const std::vector<std::uint32_t> order = order_of(1, events, places, lookahead);
  ASSERT_EQ(order.size(), events.size());
  std::set<std::tuple<moment, int>> turns;  // past turns
  for (std::size_t i = 1; i < order.size(); ++i) {
    const planned& before = events[order[i - 1]];
    const planned& e = events[order[i]];
    const moment window = e.at / lookahead;
    ASSERT_LE(before.at / lookahead, window);
    if (before.at / lookahead == window && before.place == e.place) {
      ASSERT_LE(before.at, e.at);
      if (before.at == e.at) {
        ASSERT_LT(order[i - 1], order[i]);
      }
    } else {
      turns.insert({before.at / lookahead, before.place});
      ASSERT_FALSE(turns.contains({window, e.place})) << "place " << e.place << " again";
      ASSERT_FALSE(turns.contains({window, places - 1})) << "the last one was not";
    }
  }
}

TEST(event_queue, draws_the_order_of_turns) {
  const std::vector<planned> events = random_events(5000, 9, 10'000);
  EXPECT_EQ(order_of(1, events, 9, 100), order_of(1, events, 9, 100));
  EXPECT_NE(order_of(1, events, 9, 100), order_of(2, events, 9, 100));
}

TEST(event_queue, goes_by_time_alone_without_a_lookahead) {
  const std::vector<planned> events = random_events(5000, 9, 10'000);
  const std::vector<std::uint32_t> order = order_of(1, events, 9, 0);
  ASSERT_EQ(order.size(), events.size());
  for (std::size_t i = 1; i < order.size(); ++i) {
    const moment before = events[order[i - 1]].at;
    const moment at = events[order[i]].at;
    ASSERT_LE(before, at);
    if (before == at) {
      ASSERT_LT(order[i - 1], order[i]);
    }
  }
}

// A seed for which place 0 has its turn before place 1 in the first window.
std::uint64_t seed_for_order() {
  const std::vector<planned> both = {{0, 0}, {1, 0}};
  std::uint64_t seed = 1;
  while (order_of(seed, both, 3, 100).front() != 0) ++seed;
  return seed;
}

// Events cause further events, also at places whose turn is over.
TEST(event_queue, comes_back_to_a_place_that_gets_something_within_the_window) {
  event_queue queue(seed_for_order(), 3, 100);
  queue.add(0, 10, event_kind::wake, 0);
  queue.add(1, 20, event_kind::wake, 1);
  queue.add(1, 50, event_kind::wake, 2);
  queue.add(0, 130, event_kind::wake, 3);
  EXPECT_EQ(queue.take().which, 0u);
  EXPECT_EQ(queue.take().which, 1u);
  queue.add(0, 20, event_kind::wake, 4);
  EXPECT_TRUE(queue.is_ahead(1, 20));
  EXPECT_EQ(queue.take().which, 4u);
  queue.add(2, 99, event_kind::wake, 5);
  EXPECT_FALSE(queue.is_ahead(1, 50));
  EXPECT_TRUE(queue.is_ahead(1, 51));
  EXPECT_EQ(queue.take().which, 2u);
  EXPECT_FALSE(queue.is_ahead(1, 99));
  EXPECT_TRUE(queue.is_ahead(1, 100));
  EXPECT_EQ(queue.take().which, 5u);
  EXPECT_EQ(queue.take().which, 3u);
  EXPECT_TRUE(queue.empty());
  EXPECT_FALSE(queue.is_ahead(0, 1000));
}

TEST(event_queue, says_what_is_ahead_as_it_takes) {
  const std::vector<planned> events = random_events(500, 4, 1000);
  event_queue queue(1, 4, 50);
  for (std::size_t i = 0; i < events.size(); ++i) {
    queue.add(static_cast<std::size_t>(events[i].place), events[i].at, event_kind::deliver,
              static_cast<std::uint32_t>(i));
  }
  while (!queue.empty()) {
    const event next = queue.next_ones().front();
    const planned& e = events[next.which];
    const auto place = static_cast<std::size_t>(e.place);
    EXPECT_FALSE(queue.is_ahead(place, e.at));
    EXPECT_TRUE(queue.is_ahead(place, e.at + 1));
    EXPECT_EQ(queue.take().which, next.which);
  }
}

}  // namespace
}  // namespace boxcar::detail::event_queue_test
