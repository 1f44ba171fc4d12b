#include "substrate/attention.hpp"

#include <chrono>
#include <gtest/gtest.h>

namespace boxcar::detail::attention_test {
namespace {

using namespace std::chrono_literals;
using sight = attention::sight;

class an_attention : public testing::Test {
 protected:
  // The thread polls whenever it is due, and always finds the same.
  void find_for(attention::clock::duration time, sight what) {
    for (const auto end = now + time; now < end; now += nap()) its.found(what, now);
  }
  [[nodiscard]] attention::clock::duration nap() const { return its.due() - now; }

  attention::clock::time_point now{1h};
  attention its{now};
};

TEST_F(an_attention, is_not_due_before_it_is_called) {
  EXPECT_EQ(its.due(), attention::never);
  EXPECT_FALSE(its.is_due(now));
  its.look_at_once();
  EXPECT_TRUE(its.is_due(now));
  its.look_never();
  EXPECT_FALSE(its.is_due(now + 1h));
}

TEST_F(an_attention, is_close_while_there_is_work) {
  for (int i = 0; i < 10; ++i) {
    its.found(sight::work, now);
    EXPECT_LE(nap(), 5us);
    now = its.due();
  }
  its.found(sight::nothing, now);
  EXPECT_LE(nap(), 10us);
}

TEST_F(an_attention, wanes_where_nothing_happens) {
  its.found(sight::work, now);
  find_for(10ms, sight::nothing);
  its.found(sight::nothing, now);
  EXPECT_EQ(nap(), 1ms);
  EXPECT_FALSE(its.is_lax());
  find_for(1s, sight::nothing);
  its.found(sight::nothing, now);
  EXPECT_NEAR(static_cast<double>(nap() / 1us), 1e6 / 64, 1000);
  EXPECT_TRUE(its.is_lax());
  find_for(1h, sight::nothing);
  its.found(sight::nothing, now);
  EXPECT_EQ(nap(), 50ms);
}

TEST_F(an_attention, follows_the_pe) {
  find_for(1h, sight::nothing);
  its.found(sight::the_pe, now);
  EXPECT_EQ(nap(), 1ms);
  find_for(1min, sight::the_pe);
  its.found(sight::the_pe, now);
  EXPECT_EQ(nap(), 1ms);
  EXPECT_FALSE(its.is_lax());
}

// Many PEs are due at different times, and few of them wake the thread.
TEST_F(an_attention, is_paid_together_with_others) {
  find_for(1h, sight::nothing);
  its.found(sight::nothing, now);
  EXPECT_FALSE(its.is_due(now + 20ms));
  EXPECT_TRUE(its.is_due(now + 25ms));
}

}  // namespace
}  // namespace boxcar::detail::attention_test
