// Tests that a biconveyor is always steady, and makes progress as long as every PE keeps calling
// advance: an asked PE need neither push nor pull, and an asker may pull late.
#include <atomic>
#include <gtest/gtest.h>

#include "biconveyor/checked_biconveyor.hpp"
#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/shared_array.hpp"

namespace boxcar::test::progress_test {
namespace {

class biconveyor_progress : public testing::TestWithParam<biconveyor_setup> {
 protected:
  void in_session(const std::function<void(checked_biconveyor&)>& body) {
    ledger book(GetParam().shape.pes);
    run_on(GetParam().shape, [&](world& w) {
      checked_biconveyor c(w, GetParam().sizes, GetParam().options, book);
      c.in_session([&] { body(c); });
    });
  }
};

// The last PE does nothing but advance, and all other PEs have their replies before any PE declares
// the end.
TEST_P(biconveyor_progress, needs_no_more_than_advance_of_who_is_asked) {
  constexpr int questions = 50;
  shared_array<std::atomic<int>> satisfied(1);
  in_session([&](checked_biconveyor& c) {
    const int oracle = c.size() - 1;
    int left = c.rank() == oracle ? 0 : questions;
    bool waits = c.rank() != oracle;
    while (satisfied[0] < c.size() - 1) {
      c.advance(false);
      while (left > 0 && c.push(oracle)) --left;
      if (waits) c.pull_all();
      if (waits && left == 0 && c.open_questions() == 0) {
        waits = false;
        ++satisfied[0];
      }
    }
    c.finish();
    EXPECT_EQ(c.answered(), c.rank() == oracle ? questions * static_cast<unsigned>(oracle) : 0);
  });
}

// A PE without queries may declare its end at once.
TEST_P(biconveyor_progress, does_not_need_who_is_asked_to_work) {
  in_session([](checked_biconveyor& c) {
    const int oracle = c.size() - 1;
    int left = c.rank() == oracle ? 0 : 100;
    while (c.advance(left == 0)) {
      while (left > 0 && c.push(oracle)) --left;
      if (c.rank() != oracle) c.pull_all();
    }
  });
}

// Each question depends on the reply to the question before.
TEST_P(biconveyor_progress, lets_one_question_follow_from_another) {
  constexpr int rounds = 20;
  shared_array<std::atomic<int>> satisfied(1);
  in_session([&](checked_biconveyor& c) {
    int left = rounds;
    bool counted = false;
    while (satisfied[0] < c.size()) {
      c.advance(false);
      c.pull_all();
      if (left > 0 && c.open_questions() == 0 && c.push((c.rank() + left) % c.size())) --left;
      if (left == 0 && c.open_questions() == 0 && !counted) {
        counted = true;
        ++satisfied[0];
      }
    }
    c.finish();
  });
}

// No PE pulls until nothing more can arrive; then all replies are there.
TEST_P(biconveyor_progress, does_not_depend_on_pulling_early) {
  in_session([](checked_biconveyor& c) {
    int left = 600;
    advance_result result = advance_result::ok;
    while (result == advance_result::ok) {
      while (left > 0 && c.push(left % c.size())) --left;
      result = c.advance(left == 0);
    }
    ASSERT_EQ(result, advance_result::near);
    EXPECT_EQ(c.open_questions(), 600U);
    EXPECT_EQ(c.advance(true), advance_result::near);
    c.drain();
    EXPECT_EQ(c.advance(true), advance_result::done);
  });
}

// Here some PEs have nothing to pull, and are complete while other PEs are in cleanup.
TEST_P(biconveyor_progress, ends_for_each_pe_when_it_has_its_replies) {
  in_session([](checked_biconveyor& c) {
    int left = c.rank() % 2 * 300;
    advance_result result = advance_result::ok;
    while (result == advance_result::ok) {
      while (left > 0 && c.push(left % c.size())) --left;
      result = c.advance(left == 0);
    }
    EXPECT_EQ(result, c.rank() % 2 == 0 ? advance_result::done : advance_result::near);
    c.drain();
    EXPECT_EQ(c.advance(true), advance_result::done);
    EXPECT_EQ(c.advance(false), advance_result::done);
  });
}

INSTANTIATE_TEST_SUITE_P(biconveyor, biconveyor_progress,
                         testing::ValuesIn(plain_biconveyor_setups(several_shapes())), by_name{});
INSTANTIATE_TEST_SUITE_P(tight_biconveyor, biconveyor_progress,
                         testing::ValuesIn(tight_biconveyor_setups(crowded_shapes())), by_name{});

}  // namespace
}  // namespace boxcar::test::progress_test
