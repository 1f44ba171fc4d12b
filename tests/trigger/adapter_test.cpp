// Tests of adapters on every substrate: the effect of operations, and where they execute. (For
// their order see firing_test; for the rules of matching match_list_test; for misuse
// adapter_misuse_test.)
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <gtest/gtest.h>
#include <span>
#include <vector>

#include <boxcar/adapter.hpp>
#include <boxcar/window.hpp>

#include "support/by_name.hpp"
#include "support/dice.hpp"
#include "support/run_on.hpp"
#include "trigger/adapters.hpp"
#include "trigger/allotment.hpp"

namespace boxcar::test::adapter_test {
namespace {

// Lengths: zero, small, copied under the lock, copied without the lock, several messages.
constexpr std::array<std::size_t, 7> lengths = {0, 1, 8, 1000, 1025, 4000, 100'000};

TEST_P(adapters, put_into_what_matches) {
  on_all([](world& w) {
    adapter a(w, {.memory = 200'000});
    allotment memory(a);
    const auto mine = memory.of<unsigned char>(100'000);
    const auto there = memory.of<unsigned char>(100'000);
    const event_counter arrived = a.make_counter();
    const event_counter sent = a.make_counter();
    const event_counter acknowledged = a.make_counter();
    a.perform(operation::append{
        a.make_entry({.memory = bytes_of(there), .bits = 7, .counter = arrived})});
    w.barrier();
    number rounds = 0;
    for (const std::size_t length : lengths) {
      std::ranges::fill(mine, static_cast<unsigned char>(w.rank() + 1));
      const auto from = bytes_of(mine.first(length));
      const match_target to{next(w), 7, 100'000 - length};
      a.perform(operation::put{{.memory = from, .counter = sent, .counts_sends = true}, to});
      a.perform(
          operation::put{{.memory = from, .counter = acknowledged, .counts_replies = true}, to});
      ++rounds;
      a.wait(arrived, 2 * rounds);
      const auto end = there.last(length);
      EXPECT_EQ(std::ranges::count(end, static_cast<unsigned char>(before(w) + 1)),
                static_cast<std::ptrdiff_t>(length));
      a.wait(acknowledged, rounds);
      a.wait(sent, rounds);
      w.barrier();
      std::ranges::fill(there, static_cast<unsigned char>(0));
      w.barrier();
    }
    EXPECT_EQ(a.value(arrived), (event_counts{2 * rounds, 0}));
    EXPECT_EQ(a.statistics().dropped, 0U);
    EXPECT_EQ(a.statistics().messages, 2 * rounds);
    EXPECT_EQ(a.statistics().operations, 2 * rounds + 1);
  });
}

TEST_P(adapters, get_what_is_there) {
  on_all([](world& w) {
    adapter a(w, {.memory = 200'000});
    allotment memory(a);
    const auto mine = memory.of<unsigned char>(100'000);
    const auto into = memory.of<unsigned char>(100'000);
    std::ranges::fill(mine, static_cast<unsigned char>(w.rank() + 1));
    const event_counter read = a.make_counter();
    const event_counter here = a.make_counter();
    a.perform(operation::append{a.make_entry({.memory = bytes_of(mine),
                                              .bits = 3,
                                              .allows_put = false,
                                              .allows_get = true,
                                              .counter = read,
                                              .what = counts::bytes})});
    w.barrier();
    number rounds = 0;
    number bytes = 0;
    for (const std::size_t length : lengths) {
      std::ranges::fill(into, static_cast<unsigned char>(0));
      a.perform(operation::get{
          {.memory = bytes_of(into.first(length)), .counter = here, .counts_replies = true},
          {next(w), 3, 100'000 - length}});
      a.wait(here, ++rounds);
      bytes += length;
      EXPECT_EQ(std::ranges::count(into, static_cast<unsigned char>(next(w) + 1)),
                static_cast<std::ptrdiff_t>(length));
    }
    a.wait(read, bytes);
    w.barrier();
    EXPECT_EQ(a.value(read), (event_counts{bytes, 0}));
  });
}

// All PEs change numbers of one PE at once: no operation is lost, and the operations are atomic.
TEST_P(adapters, change_numbers_one_operation_at_a_time) {
  on_all([](world& w) {
    constexpr number each = 100;
    adapter a(w, {.memory = 8192});
    allotment memory(a);
    const auto numbers = memory.of<number>(3);
    const auto one = memory.of<number>(1);
    const auto ticket = memory.of<number>(1);
    const auto seen = memory.of<number>(each);
    one[0] = 1;
    const event_counter done = a.make_counter();
    a.perform(operation::append{a.make_entry({.memory = bytes_of(numbers), .allows_get = true})});
    w.barrier();
    const memory_descriptor from{.memory = bytes_of(one), .counter = done, .counts_replies = true};
    const auto type = number_type_of<number>();
    number asked = 0;
    for (number i = 0; i < each; ++i) {
      a.perform(operation::atomic{from, {0, 0, 0}, type, arithmetic::sum});
      a.perform(operation::fetch_atomic{
          {.memory = bytes_of(seen.subspan(i, 1)), .counter = done, .counts_replies = true},
          {.memory = bytes_of(one)},
          {0, 0, 8},
          type,
          arithmetic::sum});
      a.wait(done, asked += 2);
      // A spin lock by a compare-and-swap with 0.
      do {
        a.perform(
            operation::swap{{.memory = bytes_of(ticket), .counter = done, .counts_replies = true},
                            {.memory = bytes_of(one)},
                            {0, 0, 16},
                            type,
                            swap_rule::if_equal,
                            operation::operand_of(number{0})});
        a.wait(done, ++asked);
      } while (ticket[0] != 0);
      ticket[0] = 0;
      a.perform(
          operation::swap{{.memory = bytes_of(ticket), .counter = done, .counts_replies = true},
                          {.memory = bytes_of(ticket)},
                          {0, 0, 16},
                          type});
      a.wait(done, ++asked);
      EXPECT_EQ(ticket[0], 1U);
    }
    for (number i = 1; i < each; ++i) EXPECT_LT(seen[i - 1], seen[i]);
    w.barrier();
    if (w.rank() == 0) {
      const number all = each * static_cast<number>(w.size());
      EXPECT_EQ(numbers[0], all);
      EXPECT_EQ(numbers[1], all);
      EXPECT_EQ(numbers[2], 0U);
    }
    w.barrier();
  });
}

// The memory is in windows, and within the memory of a PE.
TEST_P(adapters, reach_windows) {
  on_all([](world& w) {
    constexpr std::size_t length = 1000;
    window<number> first(w, length);
    window<std::int32_t> second(w, static_cast<std::size_t>(w.rank()) + 2);
    adapter a(w, {.memory = 64});
    a.include(first);
    a.include(second);
    const event_counter arrived = a.make_counter();
    const event_counter done = a.make_counter();
    std::ranges::fill(first.local(), rank_of(w) + 1);
    a.perform(operation::append{
        a.make_entry({.memory = bytes_of(second.local().last(2)), .counter = arrived})});
    w.barrier();
    // A triggered put, so that another PE may execute it: 2 numbers of 4 bytes, from one of 8.
    a.when(done, 1, operation::put{{.memory = bytes_of(first.local().last(1))}, {next(w)}});
    a.perform(operation::increment{done});
    a.wait(arrived, 1);
    EXPECT_EQ(second.local().last(2)[0], before(w) + 1);

    const auto half = length / 2;
    const memory_descriptor from{
        .memory = bytes_of(first.local().first(half)), .counter = done, .counts_sends = true};
    const auto into = bytes_of(first.local().last(half));
    first.local()[0] = 7;
    a.when(arrived, 1, operation::combine{from, into, number_type_of<number>()});
    a.wait(done, 2);
    EXPECT_EQ(first.local()[half], rank_of(w) + 8);
    EXPECT_EQ(first.local()[half + 1], 2 * rank_of(w) + 2);
    a.when(done, 2, operation::copy{from, into});
    a.wait(done, 3);
    EXPECT_EQ(first.local()[half], 7U);
    EXPECT_EQ(first.local()[half + 1], rank_of(w) + 1);
    w.barrier();
  });
}

// --- Worlds --------------------------------------------------------------------------------------

// Waiting PEs execute long copies and functions: a PE finds either while it polls for the other.
TEST_P(adapters, leave_copies_and_functions_to_pes_that_wait) {
  on_all([](world& w) {
    constexpr std::size_t bytes = 64 * 1024;
    constexpr std::uint64_t times = 200;
    adapter a(w, {.operations = 2 * times, .memory = 2 * bytes});
    const event_counter copies = a.make_counter();
    const event_counter calls = a.make_counter();
    const event_counter done = a.make_counter();
    a.perform(operation::append{a.make_entry({.bits = 1, .counter = copies})});
    a.perform(operation::append{a.make_entry({.bits = 2, .counter = calls})});
    std::uint64_t called = 0;
    const event_function f = a.make_function([&called] { ++called; });
    const auto from = a.memory().first(bytes);
    for (std::uint64_t i = 1; i <= times; ++i) {
      a.when(copies, i,
             operation::copy{{.memory = from, .counter = done, .counts_sends = true},
                             a.memory().last(bytes)});
      a.when(calls, i, operation::call{f, done});
    }
    dice d(7);
    for (std::uint64_t i = 1; i <= times; ++i) {
      w.barrier();
      if (w.rank() == w.size() - 1) {
        const auto until = w.now() + std::chrono::nanoseconds(d.below(5000));
        while (w.now() < until) {
        }
        for (int pe = 0; pe < w.size(); ++pe) {
          a.perform(operation::put{{}, {pe, 1}});
          a.perform(operation::put{{}, {pe, 2}});
        }
      }
      a.wait(done, 2 * i);
      EXPECT_EQ(called, i);
    }
    w.barrier();
  });
}

// The function runs on the requesting PE, whichever PE fires it, in any waiting call.
TEST_P(adapters, call_functions) {
  on_all([](world& w) {
    adapter a(w);
    const event_counter arrivals = a.make_counter();
    const event_counter calls = a.make_counter();
    a.perform(operation::append{a.make_entry({.counter = arrivals})});
    int called = 0;
    const event_function f = a.make_function([&called] { ++called; });
    for (std::uint64_t i = 1; i <= 3; ++i) a.when(arrivals, 2 * i, operation::call{f, calls});
    w.barrier();
    const int next = (w.rank() + 1) % w.size();
    for (int i = 0; i < 4; ++i) a.perform(operation::put{{}, {next}});
    a.wait(calls, 2);
    EXPECT_EQ(called, 2);
    w.barrier();
    for (int i = 0; i < 2; ++i) a.perform(operation::put{{}, {next}});
    while (a.value(calls).successes < 3) w.idle();
    EXPECT_EQ(called, 3);
    w.barrier();
  });
}

TEST_P(adapters, are_made_and_dropped_in_parts_of_a_world) {
  on_all([](world& w) {
    for (int round = 0; round < 5; ++round) {
      world part = w.split(w.rank() % 2).value();
      std::vector<adapter> several;
      for (int i = 0; i < 3; ++i) several.emplace_back(part, adapter_limits{.memory = 64});
      std::vector<event_counter> arrived;
      for (adapter& a : several) {
        arrived.push_back(a.make_counter());
        const auto entry = a.make_entry({.counter = arrived.back()});
        a.perform(operation::append{entry});
        EXPECT_TRUE(a.is_linked(entry));
      }
      adapter moved = std::move(several[0]);
      several[0] = std::move(moved);
      part.barrier();
      for (adapter& a : several) {
        for (int pe = 0; pe < part.size(); ++pe) a.perform(operation::put{{}, {pe}});
      }
      for (std::size_t i = 0; i < several.size(); ++i) {
        several[i].wait(arrived[i], static_cast<number>(part.size()));
      }
      // PEs destroy adapters while acknowledgements may be in flight to them.
      adapter last(part, {});
      last.perform(operation::put{{}, {(part.rank() + 1) % part.size()}});
    }
  });
}

// No entries, no room for operations, no memory.
TEST_P(adapters, may_have_next_to_nothing) {
  on_all([](world& w) {
    adapter a(w, {.counters = 1, .entries = 0, .operations = 0});
    EXPECT_TRUE(a.memory().empty());
    const event_counter c = a.make_counter();
    a.perform(operation::put{{.counter = c, .counts_replies = true}, {next(w)}});
    EXPECT_EQ(a.wait(c, 1), (event_counts{0, 1}));
    w.barrier();
    EXPECT_EQ(a.statistics().dropped, 1U);
    { const adapter none(w, {.counters = 0, .entries = 0, .operations = 0}); }
    w.barrier();
  });
}

INSTANTIATE_TEST_SUITE_P(triggers, adapters, testing::ValuesIn(several_shapes()), by_name{});

}  // namespace
}  // namespace boxcar::test::adapter_test
