// Tests of adapters of many PEs together: protocols, order, and no losses.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <gtest/gtest.h>
#include <span>
#include <thread>

#include <boxcar/adapter.hpp>

#include "support/by_name.hpp"
#include "support/dice.hpp"
#include "trigger/adapters.hpp"
#include "trigger/allotment.hpp"

namespace boxcar::test::adapter_order_test {
namespace {

class adapter_order : public adapters {};

constexpr std::uint64_t all_bits = ~std::uint64_t{0};

// The rendezvous of offloaded-collectives-2013, Figure 6, by triggered append: whichever is ready
// first, the data go once the receive has been posted, and the sender may change them afterwards.
TEST_P(adapter_order, agree_on_a_rendezvous) {
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
TEST_P(adapter_order, lose_nothing_of_many_senders) {
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

// More operations than fit at a PE outside Boxcar; when the PE comes back, the sender sleeps, and
// gets no notice of the room.
TEST_P(adapter_order, send_what_has_found_no_room) {
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

// An entry is released while another PE fires its append: the entry is in no list afterwards.
TEST_P(adapter_order, give_back_entries_that_are_about_to_be_appended) {
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
      // No entry matches the put.
      a.perform(operation::put{{.counter = checked, .counts_replies = true}, {w.rank(), 2}});
      while (a.value(checked).failures != i) {
        ASSERT_EQ(a.value(checked).successes, 0U);
      }
    }
    w.barrier();
  });
}

// An operation fired by another PE precedes an operation requested afterwards.
TEST_P(adapter_order, keep_the_order_of_what_has_fired) {
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
      // Within the node an operation has been executed when it reports completion.
      if (w.is_local(far)) a.wait(sent, 2 * i + 1);
      a.perform(operation::put{value(2 * i + 1), {far, 99}});
      a.wait(sent, 2 * i + 2);
    }
    a.wait(j.arrived, 2 * rounds);
    for (number i = 0; i < 2 * rounds; ++i) EXPECT_EQ(j.written[i], i);
    w.barrier();
  });
}

INSTANTIATE_TEST_SUITE_P(triggers, adapter_order, testing::ValuesIn(several_shapes()), by_name{});

}  // namespace
}  // namespace boxcar::test::adapter_order_test
