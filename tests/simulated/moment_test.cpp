// Tests that moments are rounded as by std::llround.
#include "substrate/simulated/moment.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace boxcar::detail::moment_test {
namespace {

TEST(moment, is_the_nearest_picosecond) {
  for (const double ns :
       {0.0, 0.0004, 0.0005, 0.0015, 1.0, 0.04 * 255, 150.0405, 1e9 + 0.0005, 4e14}) {
    for (const double near : {ns, std::nextafter(ns, 1e300), std::nextafter(ns, -1e300), -ns}) {
      EXPECT_EQ(from_nanoseconds(near), std::llround(near * 1000)) << near;
    }
  }
}

}  // namespace
}  // namespace boxcar::detail::moment_test
