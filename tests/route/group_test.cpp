// Which groups can be, and what is said of those that cannot.
#include <gtest/gtest.h>

#include <boxcar/error.hpp>

#include "route/tagged_route.hpp"
#include "support/thrown.hpp"

namespace boxcar::test {
namespace {

using detail::tagged_route;

TEST(group, that_does_not_divide_is_refused_with_those_that_do) {
  for (const int hops : {2, 3}) {
    const std::string text =
        thrown_by<argument_error>([&] { tagged_route::with_hops(hops, 12, 5); });
    expect_mentions(text, {"local group of 5", "12 PEs", "1, 2, 3, 4, 6, 12"});
  }
}

TEST(group, of_nobody_or_more_than_all_is_refused) {
  for (const int group : {-4, 0, 16, 24}) {
    for (const int hops : {2, 3}) {
      const std::string text =
          thrown_by<argument_error>([&] { tagged_route::with_hops(hops, 8, group); });
      expect_mentions(text, {"local group of " + std::to_string(group), "1, 2, 4, 8"});
    }
  }
}

TEST(group, does_not_matter_for_one_hop) {
  EXPECT_EQ(tagged_route::with_hops(1, 8, 3).hops(), 1);
}

// Two numbers below the group's size would not fit in a tag.
TEST(group, that_is_too_large_for_tags_is_refused) {
  const std::string text =
      thrown_by<argument_error>([] { tagged_route::tensor(1 << 17, 1 << 17); });
  expect_mentions(text, {"131072", "65536"});
  EXPECT_EQ(tagged_route::tensor(1 << 16, 1 << 16).tag_bytes(1), 4);
}

TEST(hops, are_one_two_or_three) {
  for (const int hops : {-1, 0, 4}) {
    const std::string text =
        thrown_by<argument_error>([&] { tagged_route::with_hops(hops, 8, 2); });
    expect_mentions(text, {std::to_string(hops) + " hops", "1, 2 or 3"});
  }
}

TEST(tagged_route, says_what_it_is) {
  expect_mentions(tagged_route::direct(8).describe(), {"direct", "8 PEs", "one hop"});
  expect_mentions(tagged_route::matrix(8, 4).describe(),
                  {"matrix", "8 PEs", "groups of 4", "two hops"});
  expect_mentions(tagged_route::tensor(8, 2).describe(),
                  {"tensor", "8 PEs", "groups of 2", "three hops"});
}

}  // namespace
}  // namespace boxcar::test
