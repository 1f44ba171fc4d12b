// Tests of the possible groups, and of the errors for impossible groups.
#include <gtest/gtest.h>

#include <boxcar/error.hpp>
#include <boxcar/route.hpp>

#include "route/route_function.hpp"
#include "route/tagged_route.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::group_test {
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

// The routes of conveyors of 1, 2 and 3 hops are members of the family.
TEST(routes_of_conveyors, need_no_table) {
  const auto tagged = [](const route& way) { return way.function().tagged(); };
  EXPECT_EQ(tagged(route::direct(8)).describe(), tagged_route::direct(8).describe());
  EXPECT_EQ(tagged(route::matrix(8, 4)).describe(), tagged_route::matrix(8, 4).describe());
  EXPECT_EQ(tagged(route::grid(8, {2, 4})).describe(), tagged_route::matrix(8, 4).describe());
  EXPECT_EQ(tagged(route::tensor(8, 2)).describe(), tagged_route::tensor(8, 2).describe());
  for (const route& other : {route::grid(8, {2, 2, 2}), route::grid(7, {0, 2}),
                             route::teams(8, {2, 4}), route::specialised_teams(8, {2, 4})}) {
    EXPECT_TRUE(tagged(other).is_by_table()) << other;
    EXPECT_EQ(tagged(other).hops(), other.stages()) << other;
  }
}

// Destination and source on inner hops, the source on the last.
TEST(tags_by_table, are_as_short_as_whole_numbers_of_bytes_allow) {
  const auto bytes = [](int pes, int hop) { return tagged_route::by_table(pes, 3).tag_bytes(hop); };
  EXPECT_EQ(bytes(16, 0), 1);
  EXPECT_EQ(bytes(17, 1), 2);
  EXPECT_EQ(bytes(256, 0), 2);
  EXPECT_EQ(bytes(257, 1), 4);
  EXPECT_EQ(bytes(65536, 1), 4);
  EXPECT_EQ(bytes(256, 2), 1);
  EXPECT_EQ(bytes(65536, 2), 2);
  const std::string text = thrown_by<argument_error>([] { tagged_route::by_table(65537, 3); });
  expect_mentions(text, {"65536", "65537", "tensor"});
}

TEST(tagged_route, says_what_it_is) {
  expect_mentions(tagged_route::direct(8).describe(), {"direct", "8 PEs", "one hop"});
  expect_mentions(tagged_route::matrix(8, 4).describe(),
                  {"matrix", "8 PEs", "groups of 4", "two hops"});
  expect_mentions(tagged_route::tensor(8, 2).describe(),
                  {"tensor", "8 PEs", "groups of 2", "three hops"});
}

}  // namespace
}  // namespace boxcar::test::group_test
