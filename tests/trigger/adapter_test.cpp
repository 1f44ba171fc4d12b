// What adapters promise, on every substrate: what is carried out, when, in which order, and that
// nothing is lost. (Rules of matching: match_list_test. Mistakes: adapter_misuse_test.)
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include <boxcar/adapter.hpp>

#include "support/by_name.hpp"
#include "support/dice.hpp"
#include "support/run_on.hpp"
#include "trigger/allotment.hpp"

namespace boxcar::test {
namespace {

using number = std::uint64_t;
constexpr std::uint64_t all_bits = ~std::uint64_t{0};

class adapters : public testing::TestWithParam<world_shape> {
 protected:
  static void on_all(const std::function<void(world&)>& body) { run_on(GetParam(), body); }
  static int next(const world& w) { return (w.rank() + 1) % w.size(); }
  static int before(const world& w) { return (w.rank() + w.size() - 1) % w.size(); }
  static number rank_of(const world& w) { return static_cast<number>(w.rank()); }
};

// Nothing, a little, what is copied under the lock and what is not, what takes several messages.
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

// Many at once, by all, on one PE's numbers: none is lost, and each sees the others one by one.
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
      // A spin lock by a swap of what is there, if it is 0.
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

// In windows, and within the memory of a PE.
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
    // Triggered, so that another PE may carry it out: 2 numbers of 4 bytes, from one of 8.
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

// --- Firing --------------------------------------------------------------------------------------

// What is appended at a PE, in the order of its arrival.
struct journal {
  journal(adapter& a, allotment& memory, std::size_t length)
      : written(memory.of<number>(length)), arrived(a.make_counter()) {
    a.perform(operation::append{a.make_entry(
        {.memory = bytes_of(written), .bits = 99, .manages_offset = true, .counter = arrived})});
  }
  std::span<number> written;
  event_counter arrived;
};

// One jump fires several: in the order of thresholds, then of asking, whatever order they were
// asked for in. (The public reference of Portals goes by the order of asking.)
TEST_P(adapters, fire_in_the_order_of_thresholds) {
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
      // From the beginning again.
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

TEST_P(adapters, fire_at_once_what_has_been_reached) {
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

// Others count while the PE asks: nothing falls between asking and counting, nothing fires twice.
TEST_P(adapters, lose_no_operation_that_is_asked_for_meanwhile) {
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

TEST_P(adapters, send_what_is_there_when_they_fire) {
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

// However long a chain is, it takes no stack.
TEST_P(adapters, do_not_nest) {
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

// A counter that goes back to 0 by a triggered operation begins anew.
TEST_P(adapters, set_counters) {
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

// (A counter that goes around fires a second time, in the public reference of Portals.)
TEST_P(adapters, count_no_further_than_they_can) {
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

// What was cancelled does not fire, its room is there again, and what comes next is not mistaken
// for it.
TEST_P(adapters, cancel) {
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
TEST_P(adapters, wait_for_successes_or_a_failure) {
  on_all([](world& w) {
    adapter a(w);
    const event_counter c = a.make_counter();
    EXPECT_EQ(a.wait(c, 0), event_counts{});
    EXPECT_FALSE(a.test(c, 1));
    // Nobody has an entry for this.
    a.perform(operation::put{{.counter = c, .counts_replies = true}, {next(w), 5}});
    EXPECT_EQ(a.wait(c, 1000), (event_counts{0, 1}));
    EXPECT_TRUE(a.test(c, 1000));
    a.perform(operation::get{{.counter = c, .counts_replies = true}, {next(w), 5}});
    while (a.value(c).failures != 2) static_cast<void>(a.test(c, 0));
    w.barrier();
    EXPECT_EQ(a.statistics().dropped, 2U);
  });
}

// --- Protocols
// ------------------------------------------------------------------------------------

// The rendezvous of offloaded-collectives-2013, Figure 6, by triggered append: whichever is ready
// first, the data go once the receive has been posted, and the sender may change them afterwards.
TEST_P(adapters, agree_on_a_rendezvous) {
  on_all([](world& w) {
    constexpr std::size_t length = 1000;
    enum : std::uint64_t { ready_to_send = 1, ready_to_receive = 2, data = 3 };
    for (int round = 0; round < 20; ++round) {
      adapter a(w, {.memory = 2 * length * sizeof(number)});
      allotment memory(a);
      const auto mine = memory.of<number>(length);
      const auto theirs = memory.of<number>(length);
      const event_counter send = a.make_counter();
      const event_counter receive = a.make_counter();
      const event_counter answered = a.make_counter();
      const event_counter sent = a.make_counter();
      const event_counter heard = a.make_counter();
      const event_counter received = a.make_counter();
      const match_entry answer = a.make_entry(
          {.source = next(w), .bits = ready_to_receive, .use_once = true, .counter = answered});
      const match_entry notice = a.make_entry(
          {.source = before(w), .bits = ready_to_send, .use_once = true, .counter = heard});
      const match_entry buffer = a.make_entry({.memory = bytes_of(theirs),
                                               .source = before(w),
                                               .bits = data,
                                               .use_once = true,
                                               .counter = received});
      a.when(send, 1, operation::append{answer});
      a.when(send, 1, operation::put{{}, {next(w), ready_to_send}});
      a.when(answered, 1,
             operation::put{{.memory = bytes_of(mine), .counter = sent, .counts_sends = true},
                            {next(w), data}});
      a.when(receive, 1, operation::append{buffer});
      a.when(receive, 1, operation::append{notice});
      a.when(receive, 1, operation::put{{}, {before(w), ready_to_receive}});
      a.when(heard, 1, operation::put{{}, {before(w), ready_to_receive}});
      w.barrier();
      dice d(static_cast<std::uint64_t>(round * w.size() + w.rank()));
      const auto post_send = [&] {
        std::ranges::fill(mine, rank_of(w) + 1);
        a.perform(operation::increment{send});
      };
      const auto post_receive = [&] { a.perform(operation::increment{receive}); };
      const bool sends_first = d.below(2) == 0;
      sends_first ? post_send() : post_receive();
      if (d.below(2) == 0) std::this_thread::yield();
      sends_first ? post_receive() : post_send();
      a.wait(sent, 1);
      std::ranges::fill(mine, all_bits);
      a.wait(received, 1);
      const auto from = static_cast<number>(before(w) + 1);
      EXPECT_EQ(std::ranges::count(theirs, from), std::ssize(theirs));
      w.barrier();
      EXPECT_FALSE(a.is_linked(answer));
      EXPECT_FALSE(a.is_linked(buffer));
    }
  });
}

// All send to all, as much as there is room for and more, and each message fires a reply.
TEST_P(adapters, lose_nothing_of_many_senders) {
  on_all([](world& w) {
    constexpr number each = 200;
    const number pes = static_cast<number>(w.size());
    adapter a(w, {.operations = each * pes + 1, .memory = 8192 + 8 * each * pes});
    allotment memory(a);
    const auto mine = memory.of<number>(1);
    mine[0] = rank_of(w);
    const auto arrivals = memory.of<number>(each * pes);
    const event_counter arrived = a.make_counter();
    const event_counter replied = a.make_counter();
    a.perform(operation::append{a.make_entry(
        {.memory = bytes_of(arrivals), .bits = 1, .manages_offset = true, .counter = arrived})});
    a.perform(operation::append{a.make_entry({.bits = 2, .counter = replied})});
    // Each message from anywhere is answered to a PE in turn.
    for (number i = 0; i < each * pes; ++i) {
      a.when(arrived, i + 1, operation::put{{}, {static_cast<int>((i + rank_of(w)) % pes), 2}});
    }
    w.barrier();
    for (number i = 0; i < each; ++i) {
      for (int pe = 0; pe < w.size(); ++pe) {
        a.perform(operation::put{{.memory = bytes_of(mine)}, {pe, 1}});
      }
    }
    a.wait(arrived, each * pes);
    a.wait(replied, each * pes);
    for (number pe = 0; pe < pes; ++pe) {
      EXPECT_EQ(std::ranges::count(arrivals, pe), static_cast<std::ptrdiff_t>(each));
    }
    w.barrier();
    EXPECT_EQ(a.value(arrived), (event_counts{each * pes, 0}));
    EXPECT_EQ(a.value(replied), (event_counts{each * pes, 0}));
    EXPECT_EQ(a.statistics().dropped, 0U);
  });
}

// More than finds room at a PE that is in no function of Boxcar for a while; when it comes back,
// the sender sleeps, and nobody tells it that there is room again.
TEST_P(adapters, send_what_has_found_no_room) {
  on_all([](world& w) {
    constexpr number each = 300;
    adapter a(w, {.operations = each, .memory = 64});
    const event_counter arrived = a.make_counter();
    const event_counter start = a.make_counter();
    a.perform(operation::append{a.make_entry({.counter = arrived})});
    for (number i = 1; i <= each; ++i) a.when(start, 1, operation::put{{}, {0}});
    w.barrier();
    if (w.rank() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(30));
    a.perform(operation::increment{start});
    if (w.rank() == 0) a.wait(arrived, each * static_cast<number>(w.size()));
    w.barrier();
  });
}

// An entry is given back while another PE fires its append: it is in no list after that.
TEST_P(adapters, give_back_entries_that_are_about_to_be_appended) {
  on_all([](world& w) {
    constexpr number rounds = 300;
    adapter a(w);
    const event_counter arrived = a.make_counter();
    const event_counter checked = a.make_counter();
    const match_entry door = a.make_entry({.bits = 1, .counter = arrived});
    a.perform(operation::append{door});
    w.barrier();
    dice d(rank_of(w));
    for (number i = 1; i <= rounds; ++i) {
      const match_entry e = a.make_entry({.bits = 2});
      a.when(arrived, i, operation::append{e});
      a.perform(operation::put{{}, {next(w), 1}});
      if (d.below(2) == 0) std::this_thread::yield();
      a.release(e);
      a.wait(arrived, i);
      // Nothing takes this.
      a.perform(operation::put{{.counter = checked, .counts_replies = true}, {w.rank(), 2}});
      while (a.value(checked).failures != i) {
        ASSERT_EQ(a.value(checked).successes, 0U);
      }
    }
    w.barrier();
  });
}

// What another PE has fired goes before what is asked for afterwards.
TEST_P(adapters, keep_the_order_of_what_has_fired) {
  on_all([](world& w) {
    constexpr number rounds = 50;
    adapter a(w, {.operations = 4, .memory = 2048});
    allotment memory(a);
    const journal j(a, memory, 2 * rounds);
    const auto values = memory.of<number>(2 * rounds);
    for (number i = 0; i < 2 * rounds; ++i) values[i] = i;
    const event_counter told = a.make_counter();
    const event_counter sent = a.make_counter();
    a.perform(operation::append{a.make_entry({.bits = 1, .counter = told})});
    const int far = (w.rank() + w.size() / 2) % w.size();
    w.barrier();
    const auto value = [&](number i) {
      return memory_descriptor{
          .memory = bytes_of(values.subspan(i, 1)), .counter = sent, .counts_sends = true};
    };
    for (number i = 0; i < rounds; ++i) {
      a.when(told, i + 1, operation::put{value(2 * i), {far, 99}});
      a.perform(operation::put{{}, {next(w), 1}});
      a.wait(told, i + 1);
      // Within the node it has been carried out when it says so.
      if (w.is_local(far)) a.wait(sent, 2 * i + 1);
      a.perform(operation::put{value(2 * i + 1), {far, 99}});
      a.wait(sent, 2 * i + 2);
    }
    a.wait(j.arrived, 2 * rounds);
    for (number i = 0; i < 2 * rounds; ++i) EXPECT_EQ(j.written[i], i);
    w.barrier();
  });
}

// --- Worlds --------------------------------------------------------------------------------------

// Long copies are left to a PE that waits, as functions are: it finds either while it looks for the
// other.
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

// By the PE that has asked for it, whoever fires it, in any function that waits.
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
      // PEs drop them while acknowledgements may be under way to them.
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
}  // namespace boxcar::test
