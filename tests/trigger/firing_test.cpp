// Tests of the time and the order in which adapters execute requested operations.
#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <span>
#include <vector>

#include <boxcar/adapter.hpp>

#include "support/by_name.hpp"
#include "support/dice.hpp"
#include "trigger/adapters.hpp"
#include "trigger/allotment.hpp"

namespace boxcar::test::firing_test {
namespace {

class firing : public adapters {};

constexpr std::uint64_t all_bits = ~std::uint64_t{0};

// One increment fires several operations: in the order of thresholds, then of requests, whatever
// order the requests had. (The public reference of Portals uses the order of requests alone.)
TEST_P(firing, fire_in_the_order_of_thresholds) {
  on_all([](world& w) {
    constexpr number length = 500;
    adapter a(w, {.operations = length, .memory = 16 * length});
    allotment memory(a);
    const journal j(a, memory, length);
    const auto values = memory.of<number>(length);
    const event_counter start = a.make_counter();
    w.barrier();
    for (const bool ascending : {false, true}) {
      std::vector<std::pair<number, number>> expected;  // threshold, value
      dice d(5);
      for (number i = 0; i < length; ++i) {
        const number threshold =
            ascending ? i / 3 : static_cast<number>(d.below(static_cast<int>(length) / 3));
        values[i] = i;
        expected.emplace_back(threshold + 1, i);
        a.when(start, threshold + 1,
               operation::put{{.memory = bytes_of(values.subspan(i, 1))}, {next(w), 99}});
      }
      std::ranges::sort(expected);
      a.perform(operation::increment{start, {length, 0}});
      a.wait(j.arrived, length);
      for (number i = 0; i < length; ++i) EXPECT_EQ(j.written[i], expected[i].second) << i;
      // The next round begins with counters at 0.
      a.perform(operation::set{start});
      a.perform(operation::set{j.arrived});
      w.barrier();
      if (ascending) break;
      const match_entry again = a.make_entry({.memory = bytes_of(j.written),
                                              .bits = 99,
                                              .manages_offset = true,
                                              .counter = j.arrived});
      a.perform(operation::append{again});
      w.barrier();
    }
  });
}

TEST_P(firing, fire_at_once_what_has_been_reached) {
  on_all([](world& w) {
    adapter a(w, {.counters = 3});
    const event_counter c = a.make_counter();
    const event_counter d = a.make_counter();
    a.when(c, 0, operation::increment{d});
    EXPECT_EQ(a.value(d).successes, 1U);
    a.perform(operation::increment{c, {2, 3}});
    a.when(c, 5, operation::increment{d});  // successes and failures together
    EXPECT_EQ(a.value(d).successes, 2U);
    a.when(c, 6, operation::increment{d});
    EXPECT_EQ(a.value(d).successes, 2U);
    a.perform(operation::set{c, {0, 6}});
    EXPECT_EQ(a.value(d).successes, 3U);
    EXPECT_EQ(a.statistics().waiting, 0U);
    EXPECT_EQ(a.statistics().triggered, 3U);
  });
}

// Other PEs count while the PE requests: no count is missed, nothing fires twice.
TEST_P(firing, lose_no_operation_that_is_asked_for_meanwhile) {
  on_all([](world& w) {
    constexpr number rounds = 2000;
    adapter a(w, {.operations = rounds, .memory = 64});
    const event_counter arrived = a.make_counter();
    const event_counter fired = a.make_counter();
    a.perform(operation::append{a.make_entry({.counter = arrived})});
    w.barrier();
    for (number i = 1; i <= rounds; ++i) {
      a.perform(operation::put{{}, {next(w)}});
      a.when(arrived, i, operation::increment{fired});
    }
    a.wait(fired, rounds);
    EXPECT_EQ(a.value(arrived).successes, rounds);
    w.barrier();
    EXPECT_EQ(a.value(fired), (event_counts{rounds, 0}));
  });
}

TEST_P(firing, send_what_is_there_when_they_fire) {
  on_all([](world& w) {
    adapter a(w, {.memory = 1024});
    allotment memory(a);
    const journal j(a, memory, 10);
    const auto value = memory.of<number>(1);
    const event_counter start = a.make_counter();
    const event_counter acknowledged = a.make_counter();
    w.barrier();
    for (number i = 1; i <= 10; ++i) {
      value[0] = 1000;
      a.when(start, i,
             operation::put{
                 {.memory = bytes_of(value), .counter = acknowledged, .counts_replies = true},
                 {next(w), 99}});
      value[0] = i;
      a.perform(operation::increment{start});
      a.wait(acknowledged, i);
    }
    a.wait(j.arrived, 10);
    for (number i = 1; i <= 10; ++i) EXPECT_EQ(j.written[i - 1], i);
    w.barrier();
  });
}

// A chain of any length takes no stack.
TEST_P(firing, do_not_nest) {
  on_all([](world& w) {
    constexpr std::size_t length = 20'000;
    adapter a(w, {.counters = length + 1, .operations = length});
    std::vector<event_counter> chain(length + 1);
    for (event_counter& c : chain) c = a.make_counter();
    for (std::size_t i = 0; i < length; ++i) {
      a.when(chain[i], 1, operation::increment{chain[i + 1], {1, i % 2}});
    }
    a.perform(operation::increment{chain[0]});
    EXPECT_EQ(a.wait(chain[length], 1), (event_counts{1, 1}));
  });
}

// A counter reset to 0 by a triggered operation begins anew.
TEST_P(firing, set_counters) {
  on_all([](world& w) {
    adapter a(w);
    const event_counter c = a.make_counter();
    const event_counter rounds = a.make_counter();
    for (number i = 1; i <= 20; ++i) {
      a.when(c, 3, operation::set{c});
      a.when(c, 3, operation::increment{rounds});
      a.perform(operation::increment{c, {2, 0}});
      EXPECT_EQ(a.value(rounds).successes, i - 1);
      a.perform(operation::increment{c, {2, 0}});
      EXPECT_EQ(a.value(c), event_counts{});
      EXPECT_EQ(a.value(rounds).successes, i);
    }
  });
}

// (A counter that overflows fires a second time, in the public reference of Portals.)
TEST_P(firing, count_no_further_than_they_can) {
  on_all([](world& w) {
    adapter a(w);
    const event_counter c = a.make_counter();
    const event_counter fired = a.make_counter();
    a.perform(operation::set{c, {all_bits - 1, 0}});
    a.when(c, all_bits, operation::increment{fired});
    a.perform(operation::increment{c, {5, 0}});
    EXPECT_EQ(a.value(c), (event_counts{all_bits, 0}));
    EXPECT_EQ(a.value(fired).successes, 1U);
    a.when(c, all_bits, operation::increment{fired});
    a.perform(operation::increment{c, {all_bits, all_bits}});
    EXPECT_EQ(a.value(c), (event_counts{all_bits, all_bits}));
    EXPECT_EQ(a.value(fired).successes, 2U);
  });
}

// A cancelled operation does not fire, its room is free again, and the next operation is not
// mistaken for it.
TEST_P(firing, cancel) {
  on_all([](world& w) {
    constexpr std::size_t room = 50;
    adapter a(w, {.operations = room});
    event_counter c = a.make_counter();
    const event_counter fired = a.make_counter();
    dice d(3);
    for (number round = 0; round < 30; ++round) {
      for (std::size_t i = 0; i < room; ++i) {
        const auto threshold = static_cast<number>(2 + d.below(100));
        a.when(c, threshold, operation::increment{fired, {1000, 0}});
      }
      EXPECT_EQ(a.cancel(c), room);
      EXPECT_EQ(a.cancel(c), 0U);
      EXPECT_EQ(a.statistics().waiting, 0U);
      a.perform(operation::increment{c, {200, 0}});
      EXPECT_EQ(a.value(fired).successes, round);
      const event_counter old = c;
      a.release(c);
      c = a.make_counter();
      EXPECT_NE(c, old);
      EXPECT_EQ(a.value(c), event_counts{});
      a.when(c, 1, operation::increment{fired});
      a.perform(operation::increment{c});
      EXPECT_EQ(a.value(fired).successes, round + 1);
    }
  });
}

// A wait is about successes, or any failure; a trigger about both together.
TEST_P(firing, wait_for_successes_or_a_failure) {
  on_all([](world& w) {
    adapter a(w);
    const event_counter c = a.make_counter();
    EXPECT_EQ(a.wait(c, 0), event_counts{});
    EXPECT_FALSE(a.test(c, 1));
    // No PE has a matching entry.
    a.perform(operation::put{{.counter = c, .counts_replies = true}, {next(w), 5}});
    EXPECT_EQ(a.wait(c, 1000), (event_counts{0, 1}));
    EXPECT_TRUE(a.test(c, 1000));
    a.perform(operation::get{{.counter = c, .counts_replies = true}, {next(w), 5}});
    while (a.value(c).failures != 2) static_cast<void>(a.test(c, 0));
    w.barrier();
    EXPECT_EQ(a.statistics().dropped, 2U);
  });
}

INSTANTIATE_TEST_SUITE_P(triggers, firing, testing::ValuesIn(several_shapes()), by_name{});

}  // namespace
}  // namespace boxcar::test::firing_test
