// Tests of successive sessions, empty sessions, several conveyors at once, conveyors over
// subworlds, and memory held only during sessions.
#include <gtest/gtest.h>
#include <optional>

#include "elastic/checked_elastic.hpp"
#include "support/by_name.hpp"
#include "support/conveyor_setup.hpp"
#include "support/run_on.hpp"

namespace boxcar::test::sessions_test {
namespace {

constexpr std::size_t monster = 3000;

void exchange_some(checked_elastic& c) {
  c.in_session([&] {
    int left = 10 * c.size();
    while (c.advance(left == 0)) {
      while (left > 0 && c.push(left % c.size())) --left;
      c.pull_all();
    }
  });
}

class elastic_sessions : public testing::TestWithParam<elastic_setup> {};

TEST_P(elastic_sessions, follow_one_another) {
  ledger book(GetParam().shape.pes);
  run_on(GetParam().shape, [&](world& w) {
    checked_elastic c(w, monster, GetParam().options, book);
    for (int i = 0; i < 4; ++i) exchange_some(c);
    EXPECT_EQ(c.unchecked().total_statistics().begins, 4U);
  });
}

TEST_P(elastic_sessions, may_be_empty) {
  ledger book(GetParam().shape.pes);
  run_on(GetParam().shape, [&](world& w) {
    checked_elastic c(w, monster, GetParam().options, book);
    for (int i = 0; i < 3; ++i) {
      c.in_session([&] { c.finish(); });
    }
    exchange_some(c);
    c.in_session([&] { c.finish(); });
  });
}

TEST_P(elastic_sessions, of_several_conveyors_may_overlap) {
  ledger first_book(GetParam().shape.pes, 1);
  ledger second_book(GetParam().shape.pes, 2);
  run_on(GetParam().shape, [&](world& w) {
    checked_elastic first(w, monster, GetParam().options, first_book);
    checked_elastic second(w, 2 * monster, {.hops = 1}, second_book);
    first.in_session([&] {
      second.in_session([&] {
        int left = 20 * w.size();
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

TEST_P(elastic_sessions, may_be_of_parts_of_a_world) {
  ledger even(GetParam().shape.pes, 1);
  ledger odd(GetParam().shape.pes, 2);
  run_on(GetParam().shape, [&](world& w) {
    std::optional<world> part = w.split(w.rank() % 2, -w.rank());
    const conveyor_options options = for_size(part->size(), GetParam().options);
    checked_elastic c(*part, monster, options, w.rank() % 2 == 0 ? even : odd);
    for (int i = 0; i < 2; ++i) exchange_some(c);
  });
}

INSTANTIATE_TEST_SUITE_P(elastic, elastic_sessions,
                         testing::ValuesIn(plain_elastic_setups(small_shapes())), by_name{});

class elastic_dynamic_memory : public testing::TestWithParam<elastic_setup> {};

TEST_P(elastic_dynamic_memory, is_held_only_during_a_session) {
  conveyor_options options = GetParam().options;
  options.buffer_bytes = 8192;
  options.dynamic_memory = true;
  ledger book(GetParam().shape.pes);
  run_on(GetParam().shape, [&](world& w) {
    checked_elastic c(w, monster, options, book);
    const auto held = [&] { return c.unchecked().session_statistics().memory_bytes; };
    for (int i = 0; i < 3; ++i) {
      EXPECT_LT(held(), 4096U);
      c.in_session([&] {
        EXPECT_GT(held(), 2 * 8192U);
        c.push_surely(0);
        c.finish();
      });
    }
    EXPECT_LT(held(), 4096U);
  });
}

INSTANTIATE_TEST_SUITE_P(elastic, elastic_dynamic_memory,
                         testing::ValuesIn(plain_elastic_setups(small_shapes())), by_name{});

}  // namespace
}  // namespace boxcar::test::sessions_test
