// Tests of unpull. `checked_conveyor` verifies for every unpull whether it must succeed, and that
// the same item comes again.
#include <gtest/gtest.h>

#include "support/by_name.hpp"
#include "support/conveyor_test.hpp"
#include "support/simple_loops.hpp"

namespace boxcar::test::unpull_test {
namespace {

class unpull : public conveyor_test {};

TEST_P(unpull, fails_if_nothing_was_pulled) {
  in_session([](checked_conveyor& c) {
    EXPECT_FALSE(c.unpull());
    EXPECT_FALSE(c.pull());
    EXPECT_FALSE(c.unpull());
    push_to_all(c);
    EXPECT_FALSE(c.unpull());
    finish(c);
    EXPECT_FALSE(c.unpull());
  });
}

TEST_P(unpull, succeeds_once_for_each_pull) {
  in_session([](checked_conveyor& c) {
    push_to_all(c);
    advance_to_cleanup(c);
    for (int times = 0; times < 5; ++times) {
      ASSERT_TRUE(c.pull());
      ASSERT_TRUE(c.unpull());
      ASSERT_FALSE(c.unpull());
    }
    finish(c);
  });
}

TEST_P(unpull, fails_after_a_pull_that_failed) {
  in_session([](checked_conveyor& c) {
    push_to_all(c);
    advance_to_cleanup(c);
    pull_all(c);
    EXPECT_FALSE(c.unpull());
    finish(c);
  });
}

TEST_P(unpull, of_every_item_changes_nothing) {
  in_session([](checked_conveyor& c) {
    push_to_all(c, 10);
    while (c.advance(true)) {
      while (c.pull()) {
        ASSERT_TRUE(c.unpull());
        ASSERT_TRUE(c.pull());
      }
    }
  });
}

// The last item is put back again and again; meanwhile the session cannot be complete.
TEST_P(unpull, of_the_last_item_delays_the_end) {
  in_session([](checked_conveyor& c) {
    push_to_all(c);
    advance_to_cleanup(c);
    for (int left = c.size(); left > 1; --left) ASSERT_TRUE(c.pull());
    for (int times = 0; times < 5; ++times) {
      ASSERT_TRUE(c.pull());
      ASSERT_TRUE(c.unpull());
      ASSERT_EQ(c.advance(true), advance_result::near);
    }
    finish(c);
  });
}

TEST_P(unpull, works_after_other_operations) {
  in_session([](checked_conveyor& c) {
    push_to_all(c, 3);
    advance_to_cleanup(c);
    ASSERT_TRUE(c.pull(pull_way::pointer));
    c.advance(true);
    ASSERT_TRUE(c.unpull());
    c.advance(true);
    ASSERT_FALSE(c.unpull());
    finish(c);
  });
}

INSTANTIATE_TEST_SUITE_P(contract, unpull, testing::ValuesIn(plain_setups(small_shapes())),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::unpull_test
