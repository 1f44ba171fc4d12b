// Tests how many messages one poll of a mailbox takes.
#include "substrate/cluster/batch_limit.hpp"

#include <gtest/gtest.h>

namespace boxcar::detail::batch_limit_test {
namespace {

// Takes as many as the limit allows of `there` messages.
int take(batch_limit& limit, int there) {
  return limit.take([&there] { return there-- > 0; });
}

TEST(batch_limit, grows_while_there_is_more) {
  batch_limit limit;
  for (const int most : {1, 2, 4, 8, 16, 32, 32}) EXPECT_EQ(take(limit, 1000), most);
}

TEST(batch_limit, begins_anew_when_fewer_are_there) {
  batch_limit limit;
  EXPECT_EQ(take(limit, 1000), 1);
  EXPECT_EQ(take(limit, 1000), 2);
  EXPECT_EQ(take(limit, 3), 3);
  EXPECT_EQ(take(limit, 1000), 1);
  EXPECT_EQ(take(limit, 0), 0);
  EXPECT_EQ(take(limit, 1000), 1);
}

}  // namespace
}  // namespace boxcar::detail::batch_limit_test
