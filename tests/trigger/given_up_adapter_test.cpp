// Adapters are destroyed while operations are in flight: then no other PE reads or writes memory of
// the program, and none of its functions is called. Data in the adapter's own memory stay.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <gtest/gtest.h>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include <boxcar/adapter.hpp>

#include "support/by_name.hpp"
#include "support/dice.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"
#include "trigger/adapters.hpp"
#include "trigger/allotment.hpp"

namespace boxcar::test::given_up_adapter_test {
namespace {

constexpr number nothing = 0;
constexpr number gone = 99;

class given_up_adapters : public adapters {
 protected:
  static number value_of(int pe) { return 1000 + static_cast<number>(pe); }
  // Lengths are copied under the lock, copied without the lock, and sent in several messages.
  static std::size_t length_of(int round) {
    return std::array<std::size_t, 3>{1, 400, 20'000}[static_cast<std::size_t>(round) % 3];
  }
  // PEs can name any memory if the PEs are threads.
  static bool can_name_any_memory() {
    return GetParam().substrate == substrate_kind::threads ||
           GetParam().substrate == substrate_kind::simulated;
  }
  static void linger(world& w, dice& d) {
    if (d.chance(30)) return w.sleep(std::chrono::microseconds(d.below(100)));
    for (std::atomic<int> left = d.below(20'000); left > 0; --left) continue;
  }
};

// All PEs put into memory of the next PE. In each round a different PE destroys its adapter
// meanwhile, and uses its memory again.
TEST_P(given_up_adapters, leave_memory_alone) {
  if (!can_name_any_memory()) GTEST_SKIP() << "the adapter's own memory stays";
  on_all([](world& w) {
    dice d(program_seed(rank_of(w)));
    for (int round = 0; round < 60; ++round) {
      const bool leaves = w.rank() == round % w.size();
      std::vector<number> mine(length_of(round), value_of(w.rank()));
      std::vector<number> theirs(mine.size(), nothing);
      std::optional<adapter> a(std::in_place, w);
      const event_counter acknowledged = a->make_counter();
      a->perform(operation::append{a->make_entry({.memory = bytes_of(std::span(theirs))})});
      w.barrier();
      const auto put = [&] {
        a->perform(operation::put{
            {.memory = bytes_of(std::span(mine)), .counter = acknowledged, .counts_replies = true},
            {next(w)}});
      };
      if (leaves) {
        put();
        linger(w, d);
        a.reset();
        std::ranges::fill(mine, gone);
        std::ranges::fill(theirs, gone);
      } else {
        constexpr number puts = 5;
        for (number i = 0; i < puts; ++i) put();
        a->wait(acknowledged, puts);
      }
      w.barrier();
      a.reset();
      w.barrier();
      const auto is_wrong = [&](number n) {
        return leaves ? n != gone : n != nothing && n != value_of(before(w));
      };
      EXPECT_EQ(std::ranges::count_if(theirs, is_wrong), 0) << "in round " << round;
    }
  });
}

// Puts are in flight, wherever their data lay; data of gets have no receiver.
TEST_P(given_up_adapters, finish_what_has_begun) {
  if (!can_name_any_memory()) GTEST_SKIP() << "the adapter's own memory stays";
  on_all([](world& w) {
    for (int round = 0; round < 12; ++round) {
      const bool leaves = w.rank() % 2 == 1;
      const bool expects = !leaves && before(w) % 2 == 1;
      std::vector<number> mine(length_of(round), value_of(w.rank()));
      std::vector<number> theirs(mine.size(), nothing);
      std::optional<adapter> a(std::in_place, w,
                               adapter_limits{.memory = mine.size() * sizeof(number)});
      const auto there = allotment(*a).of<number>(mine.size());
      const event_counter arrived = a->make_counter();
      a->perform(operation::append{
          a->make_entry({.memory = bytes_of(there), .allows_get = true, .counter = arrived})});
      w.barrier();
      if (leaves) {
        a->perform(operation::put{{.memory = bytes_of(std::span(mine))}, {next(w)}});
        a->perform(operation::get{{.memory = bytes_of(std::span(theirs))}, {next(w)}});
        a.reset();
        std::ranges::fill(mine, gone);
        std::ranges::fill(theirs, gone);
      } else if (expects) {
        a->wait(arrived, 1);
        EXPECT_EQ(std::ranges::count(there, value_of(before(w))), std::ssize(there));
      }
      w.barrier();
      w.sleep(std::chrono::milliseconds(1));
      w.barrier();
      if (leaves) {
        EXPECT_EQ(std::ranges::count(theirs, gone), std::ssize(theirs));
      }
    }
  });
}

// Waiting operations go on if they use only the adapter's own memory, and are cancelled otherwise;
// no function is called.
TEST_P(given_up_adapters, go_on_in_their_own_memory) {
  on_all([](world& w) {
    constexpr number begins = 2;
    constexpr number of_own_memory = 5;
    constexpr number of_the_programs = 6;
    std::vector<number> mine(1, value_of(w.rank()));
    std::atomic<bool> is_called = false;
    std::optional<adapter> a(std::in_place, w, adapter_limits{.memory = 64});
    allotment memory(*a);
    const auto token = memory.of<number>(1);
    const event_counter begun = a->make_counter();
    const event_counter own = a->make_counter();
    const event_counter others = a->make_counter();
    const event_counter acknowledged = a->make_counter();
    token[0] = value_of(w.rank());
    const auto expect = [&](number bits, const event_counter& counter) {
      const auto there = memory.of<number>(1);
      a->perform(operation::append{
          a->make_entry({.memory = bytes_of(there), .bits = bits, .counter = counter})});
    };
    expect(begins, begun);
    expect(of_own_memory, own);
    expect(of_the_programs, others);
    const bool leaves = w.rank() % 2 == 1;
    a->when(begun, 1, operation::put{{.memory = bytes_of(token)}, {next(w), of_own_memory}});
    if (can_name_any_memory()) {
      a->when(begun, 1,
              operation::put{{.memory = bytes_of(std::span(mine))}, {next(w), of_the_programs}});
    }
    if (leaves) a->when(begun, 1, operation::call{a->make_function([&] { is_called = true; })});
    w.barrier();
    if (leaves) a.reset();
    w.barrier();
    if (!leaves) {
      a->perform(operation::put{
          {.memory = bytes_of(token), .counter = acknowledged, .counts_replies = true},
          {next(w), begins}});
      EXPECT_EQ(a->wait(acknowledged, 1), (event_counts{1, 0}));
    }
    // Only the previous PE can tell whether the operation has begun.
    const bool is_begun = before(w) % 2 == 1 && (before(w) + w.size() - 1) % w.size() % 2 == 0;
    if (!leaves && is_begun) a->wait(own, 1);
    w.barrier();
    w.sleep(std::chrono::milliseconds(1));
    w.barrier();
    if (!leaves && before(w) % 2 == 1) {
      EXPECT_EQ(a->value(others), (event_counts{0, 0}));
    }
    EXPECT_FALSE(is_called);
    w.barrier();
  });
}

// AddressSanitizer detects accesses to the memory.
TEST_P(given_up_adapters, by_an_exception) {
  if (!can_name_any_memory()) GTEST_SKIP() << "the adapter's own memory stays";
  for (int i = 0; i < 6; ++i) {
    const world_report report = observe(GetParam(), [i](world& w) {
      dice d(program_seed(static_cast<number>(100 * i + w.rank())));
      constexpr number puts = 20;
      constexpr number of_puts = 1;
      std::vector<number> mine(length_of(i), value_of(w.rank()));
      std::vector<number> brought(mine.size());
      std::vector<number> theirs((puts + 1) * mine.size(), nothing);
      adapter a(w);
      const event_counter arrived = a.make_counter();
      const auto from = bytes_of(std::span(mine));
      a.perform(operation::append{a.make_entry({.memory = bytes_of(std::span(theirs)),
                                                .bits = of_puts,
                                                .manages_offset = true,
                                                .counter = arrived})});
      a.perform(operation::append{a.make_entry({.memory = from, .allows_get = true})});
      for (number n = 1; n <= puts; ++n) {
        a.when(arrived, n, operation::put{{.memory = from}, {next(w), of_puts}});
      }
      w.barrier();
      a.perform(operation::put{{.memory = from}, {next(w), of_puts}});
      linger(w, d);
      if (w.rank() == 1) {
        a.perform(operation::get{{.memory = bytes_of(std::span(brought))}, {0}});
        throw std::runtime_error("no more paper");
      }
      a.wait(arrived, 1000);
    });
    EXPECT_TRUE(report.failed);
    for (std::size_t pe = 0; pe < report.pes.size(); ++pe) {
      const ending expected = pe == 1 ? ending::other_exception : ending::world_error;
      EXPECT_EQ(report.pes[pe].end, expected) << "PE " << pe << ": " << report.pes[pe].what;
      if (pe != 1) expect_mentions(report.pes[pe].what, {"PE 1", "no more paper"});
    }
  }
}

INSTANTIATE_TEST_SUITE_P(triggers, given_up_adapters,
                         testing::ValuesIn(with_at_least(2, small_shapes())), by_name{});

}  // namespace
}  // namespace boxcar::test::given_up_adapter_test
