// Tests of mistakes with adapters: the error has a message with the values and the remedy, and
// nothing is done.
#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/adapter.hpp>
#include <boxcar/error.hpp>
#include <boxcar/stream.hpp>

#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"
#include "trigger/allotment.hpp"

namespace boxcar::test::adapter_misuse_test {
namespace {

using number = std::uint64_t;

class adapter_misuse : public testing::TestWithParam<world_shape> {
 protected:
  static void on_all(const std::function<void(world&)>& body) { run_on(GetParam(), body); }
};

template <typename Action>
void expect_refusal(const Action& action, std::initializer_list<std::string_view> parts) {
  expect_mentions(thrown_by<argument_error>(action), parts);
}

TEST_P(adapter_misuse, more_than_there_is_room_for) {
  on_all([](world& w) {
    adapter a(w, {.counters = 2, .entries = 1, .operations = 3});
    const event_counter c = a.make_counter();
    static_cast<void>(a.make_counter());
    expect_refusal([&] { static_cast<void>(a.make_counter()); },
                   {"make_counter", "all 2 counters", "adapter_limits::counters"});
    static_cast<void>(a.make_entry({}));
    expect_refusal([&] { static_cast<void>(a.make_entry({})); },
                   {"make_entry", "all 1 entries", "adapter_limits::entries"});
    for (int i = 0; i < 3; ++i) a.when(c, 5, operation::increment{c});
    expect_refusal([&] { a.when(c, 5, operation::increment{c}); },
                   {"when", "room for 3 operations", "3 wait", "adapter_limits::operations"});
    EXPECT_EQ(a.cancel(c), 3U);
    a.when(c, 5, operation::increment{c});
    expect_mentions(thrown_by<contract_error>([&] { a.release(c); }),
                    {"release", "1 operations wait", "cancel"});
    a.cancel(c);
    a.release(c);
    static_cast<void>(a.make_counter());
  });
}

TEST_P(adapter_misuse, names_of_something_else) {
  on_all([](world& w) {
    adapter a(w);
    adapter b(w);
    const event_counter old = a.make_counter();
    a.release(old);
    const match_entry old_entry = a.make_entry({});
    a.release(old_entry);
    static_cast<void>(a.make_counter());
    expect_refusal([&] { a.perform(operation::increment{old}); },
                   {"perform", "counter has been released"});
    expect_refusal([&] { a.wait(old, 1); }, {"wait", "has been released"});
    expect_refusal([&] { a.perform(operation::append{old_entry}); }, {"entry has been released"});
    expect_refusal([&] { a.when(b.make_counter(), 1, operation::unlink{}); },
                   {"when", "counter is of another adapter"});
    expect_refusal([&] { a.perform(operation::unlink{b.make_entry({})}); },
                   {"entry is of another adapter"});
    expect_refusal([&] { static_cast<void>(a.value({})); }, {"value", "needs a counter"});
    expect_refusal([&] { a.perform(operation::append{}); }, {"needs an entry"});
    expect_refusal(
        [&] {
          a.perform(operation::put{{.counts_sends = true}, {0}});
        },
        {"by no counter"});
    expect_refusal([&] { static_cast<void>(a.make_entry({.counter = b.make_counter()})); },
                   {"make_entry", "another adapter"});
  });
}

TEST_P(adapter_misuse, no_such_pe) {
  on_all([](world& w) {
    adapter a(w);
    const event_counter c = a.make_counter();
    for (const int pe : {-1, w.size()}) {
      expect_refusal(
          [&] {
            a.perform(operation::put{{}, {pe}});
          },
          {"perform", "no PE " + std::to_string(pe)});
      expect_refusal(
          [&] {
            a.when(c, 1, operation::get{{}, {pe}});
          },
          {"when", "no PE " + std::to_string(pe)});
    }
    expect_refusal([&] { static_cast<void>(a.make_entry({.source = w.size()})); },
                   {"make_entry", "no PE"});
    EXPECT_EQ(a.statistics().operations, 0U);
  });
}

TEST_P(adapter_misuse, numbers_that_are_none) {
  on_all([](world& w) {
    adapter a(w, {.memory = 4096});
    const auto memory = a.memory();
    const auto d = [&memory](std::size_t bytes) {
      return memory_descriptor{.memory = memory.first(bytes)};
    };
    expect_refusal(
        [&] {
          a.perform(operation::atomic{d(7), {0}});
        },
        {"7 bytes are no numbers of 8 bytes"});
    expect_refusal(
        [&] {
          a.perform(operation::atomic{d(2056), {0}});
        },
        {"at most 2048 bytes, not 2056"});
    expect_refusal(
        [&] {
          a.perform(operation::fetch_atomic{d(8), d(16), {0}});
        },
        {"16 bytes are sent", "room for 8"});
    expect_refusal(
        [&] {
          a.perform(operation::swap{d(8), d(16), {0}});
        },
        {"16 bytes are sent", "room for 8"});
    expect_refusal(
        [&] {
          a.perform(operation::atomic{d(8), {0}, number_type::float64, arithmetic::bit_or});
        },
        {"bits", "integer"});
    expect_refusal(
        [&] {
          a.perform(operation::swap{d(16), d(16), {0}, number_type::int64, swap_rule::if_equal});
        },
        {"one number of 8 bytes", "16 bytes are given"});
    expect_refusal(
        [&] {
          a.perform(operation::swap{d(4), d(4), {0}, number_type::float32, swap_rule::masked});
        },
        {"masked", "integer"});
    expect_refusal(
        [&] {
          a.perform(operation::copy{d(8), memory.first(9)});
        },
        {"8 bytes", "into 9"});
    expect_refusal(
        [&] {
          a.perform(operation::combine{d(9), memory.first(9)});
        },
        {"9 bytes are no numbers"});
    expect_refusal(
        [&] {
          a.perform(
              operation::combine{d(8), memory.first(8), number_type::float32, arithmetic::bit_xor});
        },
        {"bits", "integer"});
  });
}

// Processes of a node see no other memory of each other.
TEST_P(adapter_misuse, memory_that_others_cannot_reach) {
  const bool is_one_process = GetParam().substrate == substrate_kind::threads ||
                              GetParam().substrate == substrate_kind::simulated;
  on_all([is_one_process](world& w) {
    adapter a(w, {.memory = 64});
    std::array<std::byte, 8> own{};
    const auto use = [&] { static_cast<void>(a.make_entry({.memory = own})); };
    if (is_one_process) {
      use();
      return;
    }
    expect_refusal(use, {"make_entry", "8 bytes", "adapter::memory"});
    expect_refusal(
        [&] {
          a.perform(operation::put{{.memory = own}, {0}});
        },
        {"perform", "adapter::memory"});
    const auto beyond = std::span(a.memory().data() + 60, 5);
    expect_refusal(
        [&] {
          a.perform(operation::put{{.memory = beyond}, {0}});
        },
        {"perform", "5 bytes"});
  });
}

// The mistake is made on all PEs.
TEST_P(adapter_misuse, windows_of_another_world) {
  on_all([](world& w) {
    adapter a(w);
    world part = w.split(w.rank() % 2).value();
    const window<number> of_part(part, 1);
    expect_refusal([&] { a.include(of_part); }, {"include", "another world"});
    adapter small(part);
    const window<number> of_all(w, 1);
    expect_refusal([&] { small.include(of_all); }, {"include", "another world"});
    w.barrier();
  });
}

TEST_P(adapter_misuse, windows_that_differ) {
  if (GetParam().pes < 2) return;
  on_all([](world& w) {
    adapter a(w);
    const window<number> one(w, 3);
    const window<number> other(w, 3);
    const window<number>& mine = w.rank() == 0 ? one : other;
    expect_refusal([&] { a.include(mine); }, {"disagree", "window", "PE 0", "PE 1"});
    a.include(one);
    a.include(other);
  });
}

TEST_P(adapter_misuse, enumerators_that_do_not_exist) {
  on_all([](world& w) {
    adapter a(w, {.memory = 4096});
    const memory_descriptor d{.memory = a.memory().first(8)};
    const auto type = static_cast<number_type>(77);
    const auto how = static_cast<arithmetic>(99);
    expect_refusal([&] { a.perform(operation::atomic{d, {0}, type}); }, {"number_type 77"});
    expect_refusal(
        [&] {
          a.perform(operation::atomic{d, {0}, number_type::int64, how});
        },
        {"arithmetic 99"});
    w.barrier();
  });
}

TEST_P(adapter_misuse, impossible_limits) {
  on_all([](world& w) {
    const auto make = [&w](const adapter_limits& limits) {
      return [&w, limits] { const adapter a(w, limits); };
    };
    expect_refusal(make({.counters = std::size_t{1} << 40}), {"counters", "1099511627776"});
    expect_refusal(make({.entries = ~std::size_t{0}}), {"entries"});
    expect_refusal(make({.operations = ~std::size_t{0}}), {"operations"});
    expect_refusal(make({.memory = ~std::size_t{0}}), {"memory", "more than there is"});
    // Invalid options of one PE are refused on all PEs.
    expect_refusal(make({.entries = w.rank() == w.size() - 1 ? ~std::size_t{0} : 1}), {"entries"});
  });
}

TEST_P(adapter_misuse, after_it_was_moved) {
  on_all([](world& w) {
    adapter a(w);
    const adapter b = std::move(a);
    expect_mentions(thrown_by<contract_error>([&] {
                      static_cast<void>(a.make_counter());  // NOLINT(bugprone-use-after-move)
                    }),
                    {"make_counter", "moved from"});
  });
}

TEST_P(adapter_misuse, within_a_handler) {
  on_all([](world& w) {
    adapter a(w);
    const event_counter c = a.make_counter();
    int refused = 0;
    stream<int> s(w, [&](int) {
      expect_mentions(thrown_by<contract_error>([&] { a.wait(c, 1); }), {"wait", "handler"});
      expect_mentions(thrown_by<contract_error>([&] { a.perform(operation::increment{c}); }),
                      {"perform", "handler"});
      ++refused;
    });
    {
      const session scope = s.begin();
      s.send(1, w.rank());
      s.finish();
    }
    EXPECT_EQ(refused, 1);
    EXPECT_EQ(a.value(c), event_counts{});
  });
}

TEST_P(adapter_misuse, functions) {
  on_all([](world& w) {
    adapter a(w);
    adapter b(w);
    const event_counter c = a.make_counter();
    EXPECT_THROW(static_cast<void>(a.make_function(nullptr)), argument_error);
    expect_refusal([&] { a.perform(operation::call{}); }, {"perform", "make_function"});
    const event_function other = b.make_function([] {});
    expect_refusal([&] { a.perform(operation::call{other}); }, {"perform", "another adapter"});
    // Functions may call nothing of Boxcar.
    bool refused = false;
    const event_function calls = a.make_function([&] {
      const std::string said = thrown_by<contract_error>([&] { w.barrier(); });
      expect_mentions(said, {"a collective from within", "function of a schedule"});
      expect_mentions(thrown_by<contract_error>([&] { a.wait(c, 1); }), {"wait"});
      refused = true;
    });
    a.perform(operation::call{calls, c});
    a.wait(c, 1);
    EXPECT_TRUE(refused);
    // The PE gets the exception of one function, and the other functions are called.
    const event_function fails = a.make_function([] { throw std::out_of_range("seven"); });
    a.when(c, 2, operation::call{fails, c});
    a.when(c, 2, operation::call{calls, c});
    EXPECT_EQ(thrown_by<std::out_of_range>([&] {
                a.perform(operation::increment{c});
                a.wait(c, 4);
              }),
              "seven");
    a.wait(c, 3);
    EXPECT_EQ(a.value(c).successes, 3U);
    w.barrier();
  });
}

INSTANTIATE_TEST_SUITE_P(triggers, adapter_misuse, testing::ValuesIn(several_shapes()), by_name{});

}  // namespace
}  // namespace boxcar::test::adapter_misuse_test
