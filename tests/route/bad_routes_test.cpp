// Tests of the errors for inconsistent numbers of a route.
#include <gtest/gtest.h>
#include <sstream>

#include <boxcar/error.hpp>
#include <boxcar/route.hpp>

#include "support/thrown.hpp"

namespace boxcar::test::bad_routes_test {
namespace {

TEST(bad_grid, whose_product_is_wrong_is_refused_with_the_nearest_that_work) {
  const auto text = thrown_by<argument_error>([] { route::grid(60, {4, 4, 4}); });
  expect_mentions(text, {"4 x 4 x 4", "64 places", "60 PEs", "0 x 4 x 4"});
  EXPECT_TRUE(
      text.find("3 x 4 x 5") != std::string::npos || text.find("3 x 5 x 4") != std::string::npos ||
      text.find("4 x 3 x 5") != std::string::npos || text.find("5 x 4 x 3") != std::string::npos ||
      text.find("4 x 5 x 3") != std::string::npos || text.find("5 x 3 x 4") != std::string::npos)
      << text;
  // Slabs of more places than there are PEs are not proposed.
  EXPECT_EQ(thrown_by<argument_error>([] {
              route::grid(6, {2, 8});
            }).find("0 x"),
            std::string::npos);
}

TEST(bad_grid, of_no_or_too_many_dimensions_is_refused) {
  expect_mentions(thrown_by<argument_error>([] { route::grid(1, {}); }),
                  {"0 dimensions", "1 to 8"});
  expect_mentions(thrown_by<argument_error>([] {
                    route::grid(1, {1, 1, 1, 1, 1, 1, 1, 1, 1});
                  }),
                  {"9 dimensions", "1 to 8"});
}

TEST(bad_grid, with_a_size_below_1_is_refused) {
  expect_mentions(thrown_by<argument_error>([] { route::grid(8, {4, 0}); }), {"4 x 0", "size 0"});
  expect_mentions(thrown_by<argument_error>([] { route::grid(8, {-2, -4}); }), {"size -2"});
}

TEST(bad_grid, whose_slabs_are_too_large_is_refused) {
  expect_mentions(thrown_by<argument_error>([] {
                    route::grid(30, {0, 8, 4});
                  }),
                  {"slabs of 32 places", "30 PEs"});
}

TEST(bad_grid, of_sizes_whose_product_is_no_int_is_refused) {
  constexpr int large = 1 << 20;
  expect_mentions(thrown_by<argument_error>([] {
                    route::grid(64, {large, large, large});
                  }),
                  {"64 PEs"});
}

TEST(bad_teams, that_would_be_empty_are_refused) {
  for (const auto& make : {route::teams, route::specialised_teams}) {
    expect_mentions(thrown_by<argument_error>([&] {
                      make(12, {2, 3, 2});
                    }),
                    {"2 PEs of a node", "3 teams"});
    expect_mentions(thrown_by<argument_error>([&] { make(17, {0, 4}); }), {"5 x 4", "17 PEs"});
    expect_mentions(thrown_by<argument_error>([&] { make(17, {4, 4}); }), {"4 x 4", "17 PEs"});
  }
}

TEST(matrix, and_tensor_refuse_a_group_that_does_not_divide) {
  expect_mentions(thrown_by<argument_error>([] { route::matrix(12, 5); }), {"1, 2, 3, 4, 6, 12"});
  expect_mentions(thrown_by<argument_error>([] { route::tensor(12, 0); }), {"1, 2, 3, 4, 6, 12"});
}

TEST(route, for_nobody_is_refused) {
  expect_mentions(thrown_by<argument_error>([] { route::direct(0); }), {"0 PEs", "at least 1"});
}

TEST(route, knows_no_pe_that_is_not_there) {
  const route r = route::direct(4);
  expect_mentions(thrown_by<argument_error>([&] { (void)r.next(0, 4); }), {"4 PEs", "PE 4"});
  expect_mentions(thrown_by<argument_error>([&] { (void)r.next(-1, 0); }), {"4 PEs", "PE -1"});
  expect_mentions(thrown_by<argument_error>([&] { (void)r.hops(4, 4); }), {"PE 4"});
  expect_mentions(thrown_by<argument_error>([&] { (void)r.links(5); }), {"PE 5"});
}

TEST(route, prints_itself) {
  const auto printed = [](const route& r) {
    std::ostringstream out;
    out << r;
    return out.str();
  };
  EXPECT_EQ(printed(route::direct(8)), "direct 8: 8 PEs, 1 stage, 7 links of PE 0");
  EXPECT_EQ(printed(route::grid(128, {4, 4, 8})),
            "grid 4 x 4 x 8: 128 PEs, 3 stages, 13 links of PE 0");
  EXPECT_EQ(printed(route::grid(10, {0, 4})),
            "grid 3 x 4 with an incomplete last slab: 10 PEs, 3 stages, 5 links of PE 0");
  EXPECT_EQ(printed(route::tensor(8, 2)),
            "tensor in groups of 2: 8 PEs, 3 stages, 3 links of PE 0");
  EXPECT_EQ(printed(route::teams(128, {16, 8})),
            "node-aware teams on 16 x 8: 128 PEs, 4 stages, 16 links of PE 0");
  EXPECT_EQ(printed(route::specialised_teams(128, {16, 8})),
            "node-aware teams with specialised PEs on 16 x 8: 128 PEs, 6 stages, 7 links of PE 0");
  EXPECT_EQ(printed(route::direct(1)), "direct 1: 1 PE, 1 stage, 0 links of PE 0");
}

}  // namespace
}  // namespace boxcar::test::bad_routes_test
