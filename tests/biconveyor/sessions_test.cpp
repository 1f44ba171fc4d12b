// One session after another, empty ones, several biconveyors at once, biconveyors over parts of a
// world, and memory that is held only during sessions.
#include <gtest/gtest.h>
#include <optional>

#include "biconveyor/checked_biconveyor.hpp"
#include "support/by_name.hpp"
#include "support/run_on.hpp"

namespace boxcar::test {
namespace {

void ask_some(checked_biconveyor& c) {
  c.in_session([&] {
    int left = 30 * c.size();
    while (c.advance(left == 0)) {
      while (left > 0 && c.push(left % c.size())) --left;
      c.pull_all();
    }
  });
}

class biconveyor_sessions : public testing::TestWithParam<biconveyor_setup> {};

TEST_P(biconveyor_sessions, follow_one_another) {
  ledger book(GetParam().shape.pes);
  run_on(GetParam().shape, [&](world& w) {
    checked_biconveyor c(w, GetParam().sizes, GetParam().options, book);
    for (int i = 0; i < 4; ++i) ask_some(c);
  });
}

TEST_P(biconveyor_sessions, may_be_empty) {
  ledger book(GetParam().shape.pes);
  run_on(GetParam().shape, [&](world& w) {
    checked_biconveyor c(w, GetParam().sizes, GetParam().options, book);
    for (int i = 0; i < 3; ++i) {
      c.in_session([&] {
        c.finish();
        EXPECT_FALSE(c.pull());
      });
      if (i == 0) ask_some(c);
    }
  });
}

TEST_P(biconveyor_sessions, of_several_biconveyors_may_overlap) {
  ledger first_book(GetParam().shape.pes, 1);
  ledger second_book(GetParam().shape.pes, 2);
  run_on(GetParam().shape, [&](world& w) {
    checked_biconveyor first(w, GetParam().sizes, GetParam().options, first_book);
    checked_biconveyor second(w, GetParam().sizes, GetParam().options, second_book);
    first.in_session([&] {
      second.in_session([&] {
        int left = 40 * w.size();
        bool more = true;
        while (more) {
          more = static_cast<bool>(first.advance(left == 0));
          more |= static_cast<bool>(second.advance(left == 0));
          while (left > 0 && (left % 2 == 0 ? first : second).push(left % w.size())) --left;
          first.pull_all();
          second.pull_all();
        }
      });
    });
  });
}

TEST_P(biconveyor_sessions, may_be_of_parts_of_a_world) {
  ledger even(GetParam().shape.pes, 1);
  ledger odd(GetParam().shape.pes, 2);
  run_on(GetParam().shape, [&](world& w) {
    std::optional<world> part = w.split(w.rank() % 2, -w.rank());
    conveyor_options options = GetParam().options;
    options.local_group = 0;
    checked_biconveyor c(*part, GetParam().sizes, options, w.rank() % 2 == 0 ? even : odd);
    for (int i = 0; i < 2; ++i) ask_some(c);
  });
}

TEST_P(biconveyor_sessions, hold_the_memory_if_it_is_dynamic) {
  conveyor_options options = GetParam().options;
  options.buffer_bytes = 8192;
  options.dynamic_memory = true;
  ledger book(GetParam().shape.pes);
  run_on(GetParam().shape, [&](world& w) {
    checked_biconveyor c(w, GetParam().sizes, options, book);
    const auto held = [&] {
      return c.unchecked().query_statistics().memory_bytes +
             c.unchecked().reply_statistics().memory_bytes;
    };
    for (int i = 0; i < 2; ++i) {
      EXPECT_LT(held(), 8192U);
      c.in_session([&] {
        EXPECT_GT(held(), 2 * 8192U);
        c.finish();
      });
    }
    EXPECT_LT(held(), 8192U);
  });
}

INSTANTIATE_TEST_SUITE_P(biconveyor, biconveyor_sessions,
                         testing::ValuesIn(varied_biconveyor_setups(small_shapes())), by_name{});

}  // namespace
}  // namespace boxcar::test
