// Tests that the refusal of a network's library is known as long as its exception exists.
#include "substrate/cluster/refusal.hpp"

#include <gtest/gtest.h>
#include <string>

#include <boxcar/error.hpp>

#include "support/thrown.hpp"

namespace boxcar::test::refusal_test {
namespace {

TEST(refusal, is_known_as_long_as_its_exception_is_there) {
  EXPECT_EQ(detail::refusal_under_way(), "");
  const std::string text = thrown_by<system_error>([] {
    struct on_the_way {
      ~on_the_way() { EXPECT_EQ(detail::refusal_under_way(), "trying failed: no"); }
    };
    const on_the_way passed;
    detail::throw_refusal("trying failed: no");
  });
  EXPECT_EQ(text, "trying failed: no");
  EXPECT_EQ(detail::refusal_under_way(), "");
}

}  // namespace
}  // namespace boxcar::test::refusal_test
