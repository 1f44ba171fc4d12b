// Tests the choice of the entry for a message: the rules one by one, and against a linear search of
// the list.
#include "trigger/match_list.hpp"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

#include <boxcar/adapter.hpp>

#include "support/dice.hpp"
#include "support/run_on.hpp"
#include "trigger/allotment.hpp"

namespace boxcar::test::match_list_test {
namespace {

using number = std::uint64_t;
constexpr std::uint64_t all_bits = ~std::uint64_t{0};

// A PE sends to itself.
void alone(const std::function<void(adapter&)>& body,
           const adapter_limits& limits = {.memory = 4096}) {
  run_on({substrate_kind::threads, 1, 1}, [&](world& w) {
    adapter a(w, limits);
    body(a);
  });
}

struct listed {
  match_entry entry;
  event_counter counter;
};

listed list(adapter& a, match_rules rules) {
  listed l;
  l.counter = rules.counter = a.make_counter();
  l.entry = a.make_entry(rules);
  a.perform(operation::append{l.entry});
  return l;
}

void put(adapter& a, std::uint64_t bits, std::span<std::byte> memory = {}, std::size_t at = 0) {
  a.perform(operation::put{{.memory = memory}, {0, bits, at}});
}

TEST(match_list, takes_the_first_that_matches) {
  alone([](adapter& a) {
    const listed exact = list(a, {.source = 0, .bits = 5});
    const listed any_bits = list(a, {.source = 0, .ignored_bits = all_bits});
    const listed second = list(a, {.source = 0, .bits = 6});  // never matched: behind any_bits
    put(a, 5);
    put(a, 6);
    put(a, 7);
    EXPECT_EQ(a.value(exact.counter).successes, 1U);
    EXPECT_EQ(a.value(any_bits.counter).successes, 2U);
    EXPECT_EQ(a.value(second.counter).successes, 0U);
    // The entry goes to the end.
    a.perform(operation::unlink{any_bits.entry});
    EXPECT_FALSE(a.is_linked(any_bits.entry));
    a.perform(operation::append{any_bits.entry});
    put(a, 6);
    put(a, 7);
    EXPECT_EQ(a.value(any_bits.counter).successes, 3U);
    EXPECT_EQ(a.value(second.counter).successes, 1U);
    // An append of a linked entry changes nothing.
    a.perform(operation::append{exact.entry});
    put(a, 5);
    EXPECT_EQ(a.value(exact.counter).successes, 2U);
    EXPECT_EQ(a.statistics().dropped, 0U);
  });
}

TEST(match_list, ignores_bits) {
  alone([](adapter& a) {
    const listed l = list(a, {.bits = 0xf0, .ignored_bits = 0x0f});
    put(a, 0xf0);
    put(a, 0xff);
    put(a, 0xe0);
    put(a, 0x1f0);
    EXPECT_EQ(a.value(l.counter).successes, 2U);
    EXPECT_EQ(a.statistics().dropped, 2U);
  });
}

TEST(match_list, unlinks_what_is_used_once) {
  alone([](adapter& a) {
    const listed once = list(a, {.bits = 1, .use_once = true});
    const listed always = list(a, {.bits = 1});
    for (int i = 0; i < 3; ++i) put(a, 1);
    EXPECT_FALSE(a.is_linked(once.entry));
    EXPECT_TRUE(a.is_linked(always.entry));
    EXPECT_EQ(a.value(once.counter).successes, 1U);
    EXPECT_EQ(a.value(always.counter).successes, 2U);
  });
}

// The first matching entry decides, whether it allows the operation or not.
TEST(match_list, refuses_what_is_not_allowed) {
  alone([](adapter& a) {
    allotment memory(a);
    const auto value = memory.of<number>(1);
    const listed reads =
        list(a, {.memory = bytes_of(value), .bits = 1, .allows_put = false, .allows_get = true});
    const listed all = list(a, {.memory = bytes_of(value), .bits = 1, .allows_get = true});
    const event_counter c = a.make_counter();
    const auto there = memory.of<number>(1);
    const memory_descriptor d{.memory = bytes_of(there), .counter = c, .counts_replies = true};
    a.perform(operation::put{d, {0, 1}});
    EXPECT_EQ(a.value(c), (event_counts{0, 1}));
    a.perform(operation::atomic{d, {0, 1}});
    EXPECT_EQ(a.value(c), (event_counts{0, 2}));
    a.perform(operation::fetch_atomic{d, {.memory = bytes_of(there)}, {0, 1}});
    a.perform(operation::swap{d, {.memory = bytes_of(there)}, {0, 1}});
    EXPECT_EQ(a.value(c), (event_counts{0, 4}));
    a.perform(operation::get{d, {0, 1}});
    EXPECT_EQ(a.value(c), (event_counts{1, 4}));
    EXPECT_EQ(a.statistics().refused, 4U);
    EXPECT_EQ(a.value(all.counter).successes, 0U);
    EXPECT_EQ(a.value(reads.counter).successes, 1U);
  });
}

TEST(match_list, lets_entries_manage_where_messages_lie) {
  alone([](adapter& a) {
    allotment memory(a);
    const auto value = memory.of<number>(1);
    const auto there = memory.of<number>(4);
    const listed l =
        list(a, {.memory = bytes_of(there), .manages_offset = true, .what = counts::bytes});
    for (number i = 1; i <= 3; ++i) {
      value[0] = i;
      put(a, 0, bytes_of(value), 1000 * i);
    }
    EXPECT_EQ(a.used(l.entry), 24U);
    put(a, 0, bytes_of(there).first(9));  // there is not as much room left
    EXPECT_EQ(a.statistics().dropped, 1U);
    EXPECT_EQ(a.value(l.counter).successes, 24U);
    for (number i = 1; i <= 3; ++i) EXPECT_EQ(there[i - 1], i);
    // Anew.
    a.perform(operation::unlink{l.entry});
    a.perform(operation::append{l.entry});
    EXPECT_EQ(a.used(l.entry), 0U);
    value[0] = 9;
    put(a, 0, bytes_of(value));
    EXPECT_EQ(there[0], 9U);
  });
}

TEST(match_list, unlinks_what_is_full) {
  alone([](adapter& a) {
    allotment memory(a);
    const auto value = memory.of<number>(1);
    const auto there = memory.of<number>(4);
    const listed l = list(a, {.memory = bytes_of(there), .manages_offset = true, .least_room = 9});
    const listed rest = list(a, {.memory = bytes_of(value)});
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(a.is_linked(l.entry), i < 3);
      put(a, 0, bytes_of(value));
    }
    EXPECT_EQ(a.value(l.counter).successes, 3U);
    EXPECT_EQ(a.value(rest.counter).successes, 1U);
  });
}

TEST(match_list, cuts_off_what_is_too_long_if_that_is_wanted) {
  alone([](adapter& a) {
    allotment memory(a);
    const auto values = memory.of<number>(4);
    std::ranges::fill(values, 7);
    const auto there = memory.of<number>(4);
    // A strict entry does not match a longer message: the message goes on to the next entry.
    const listed strict = list(a, {.memory = bytes_of(there.first(3))});
    const listed lenient = list(a, {.memory = bytes_of(there.first(2)),
                                    .allows_get = true,
                                    .truncates = true,
                                    .what = counts::bytes});
    put(a, 0, bytes_of(values));
    EXPECT_EQ(a.value(strict.counter).successes, 0U);
    EXPECT_EQ(a.value(lenient.counter).successes, 16U);
    EXPECT_EQ(there[1], 7U);
    EXPECT_EQ(there[2], 0U);
    // A put behind the end of the entry transfers nothing.
    put(a, 0, bytes_of(values), 1000);
    EXPECT_EQ(a.value(lenient.counter).successes, 16U);
    // No number is cut in two.
    a.perform(operation::atomic{{.memory = bytes_of(values)}, {0, 0, 3}});
    EXPECT_EQ(a.value(lenient.counter).successes, 24U);
    const event_counter here = a.make_counter();
    a.perform(operation::get{{.memory = bytes_of(values),
                              .counter = here,
                              .counts_replies = true,
                              .what = counts::bytes},
                             {0, 0, 8}});
    EXPECT_EQ(a.value(here).successes, 8U);
  });
}

// Handles of a released counter or entry have no effect.
TEST(match_list, forgets_what_is_given_back) {
  const auto body = [](adapter& a) {
    const listed l = list(a, {});
    put(a, 0);
    a.release(l.entry);
    put(a, 0);
    EXPECT_EQ(a.value(l.counter).successes, 1U);
    const listed other = list(a, {});
    const event_counter start = a.make_counter();
    const match_entry unlinked = a.make_entry({.bits = 77});
    a.when(start, 1, operation::append{unlinked});
    a.when(start, 1, operation::increment{other.counter, {100, 0}});
    a.release(unlinked);
    a.release(other.counter);
    const event_counter in_its_place = a.make_counter();
    EXPECT_EQ(in_its_place.index, other.counter.index);
    const match_entry also_in_its_place = a.make_entry({.bits = 78});
    EXPECT_EQ(also_in_its_place.index, unlinked.index);
    put(a, 0);  // counts nothing
    a.perform(operation::increment{start});
    EXPECT_FALSE(a.is_linked(also_in_its_place));
    EXPECT_EQ(a.value(in_its_place), event_counts{});
  };
  alone(body, {.counters = 3, .entries = 2});
}

// A linear search of the list gives the same results.
TEST(match_list, agrees_with_a_plain_one) {
  constexpr std::uint32_t room = 64;
  constexpr std::uint32_t buckets = 64;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    detail::adapter_head head;
    head.buckets = buckets;
    std::vector<detail::entry_record> entries(room);
    std::vector<detail::record_list> table(buckets + 1);
    detail::match_list fast(head, entries.data(), table.data());
    std::vector<std::uint32_t> plain;
    dice d(seed);
    const auto below = [&d](int n) { return static_cast<std::uint64_t>(d.below(n)); };
    const auto fits = [](const detail::entry_record& e) { return e.least_room != 1; };
    for (int step = 0; step < 5000; ++step) {
      const auto i = static_cast<std::uint32_t>(d.below(room));
      if (d.below(2) == 0) {
        if (entries[i].is_linked) {
          fast.unlink(i);
          std::erase(plain, i);
        } else {
          entries[i].source = static_cast<int>(d.below(4)) - 1;
          entries[i].bits = below(8);
          entries[i].ignored_bits = d.below(3) == 0 ? below(8) : 0;
          entries[i].least_room = below(4);
          fast.append(i);
          plain.push_back(i);
        }
      }
      const auto source = static_cast<int>(d.below(3));
      const std::uint64_t bits = below(8);
      const auto found = std::ranges::find_if(plain, [&](std::uint32_t at) {
        const detail::entry_record& e = entries[at];
        return (e.source == any_pe || e.source == source) &&
               (e.bits & ~e.ignored_bits) == (bits & ~e.ignored_bits) && fits(e);
      });
      ASSERT_EQ(fast.find(source, bits, fits), found == plain.end() ? detail::no_record : *found);
    }
  }
}

}  // namespace
}  // namespace boxcar::test::match_list_test
