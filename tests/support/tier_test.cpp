#include "support/tier.hpp"

#include <gtest/gtest.h>
#include <stdexcept>

namespace boxcar::test::tier_test {
namespace {

TEST(tier, has_a_name) {
  EXPECT_EQ(tier_of("gate"), tier::gate);
  EXPECT_EQ(tier_of("nightly"), tier::nightly);
  EXPECT_EQ(tier_of("weekly"), tier::weekly);
}

TEST(tier, of_another_name_is_refused) {
  for (const char* name : {"", "Gate", "daily", "gate "}) {
    EXPECT_THROW(static_cast<void>(tier_of(name)), std::invalid_argument) << name;
  }
}

}  // namespace
}  // namespace boxcar::test::tier_test
