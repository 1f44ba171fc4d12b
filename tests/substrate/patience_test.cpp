#include "substrate/shared_memory/patience.hpp"

#include <chrono>
#include <gtest/gtest.h>

namespace boxcar::detail::patience_test {
namespace {

using namespace std::chrono_literals;

class a_patience : public testing::Test {
 protected:
  void yield(patience::clock::duration time) {
    its.note_yield(now, now + time);
    now += time;
  }
  // Returns how long the PE blocks at once from now on.
  patience::clock::duration time_of_blocking() {
    const auto begin = now;
    for (its.look(now); its.polls() == 0 && now < begin + 1h; its.look(now)) now += 100us;
    return now - begin;
  }

  patience::clock::time_point now{1h};
  patience its{true};
};

TEST_F(a_patience, spins_and_yields_on_an_own_core) {
  EXPECT_TRUE(its.has_core());
  EXPECT_GT(its.spins(), 0U);
  EXPECT_EQ(its.polls(), its.spins() + patience::max_yields);
}

TEST_F(a_patience, stays_while_yields_are_short) {
  for (int i = 0; i < 1000; ++i) yield(100us);
  EXPECT_GT(its.spins(), 0U);
  EXPECT_EQ(its.polls(), its.spins() + patience::max_yields);
}

TEST_F(a_patience, ends_by_one_long_yield_and_soon_returns) {
  const auto before = its.polls();
  yield(3ms);
  EXPECT_EQ(its.polls(), 0U);
  EXPECT_EQ(time_of_blocking(), 2ms);
  EXPECT_EQ(its.polls(), before);
}

TEST_F(a_patience, is_away_for_longer_while_others_compute) {
  yield(3ms);
  EXPECT_EQ(time_of_blocking(), 2ms);
  yield(3ms);
  EXPECT_EQ(time_of_blocking(), 4ms);
  for (int i = 0; i < 20; ++i) {
    yield(3ms);
    time_of_blocking();
  }
  yield(3ms);
  EXPECT_EQ(time_of_blocking(), 128ms);
  yield(1us);
  yield(3ms);
  EXPECT_EQ(time_of_blocking(), 2ms);
}

TEST_F(a_patience, yields_to_pes_on_the_same_core_however_long_that_takes) {
  its = patience(false);
  EXPECT_FALSE(its.has_core());
  for (int i = 0; i < 100; ++i) yield(3ms);
  EXPECT_EQ(its.spins(), 0U);
  EXPECT_EQ(its.polls(), patience::max_yields);
}

}  // namespace
}  // namespace boxcar::detail::patience_test
