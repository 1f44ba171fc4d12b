// Tests of the choices of the model, and of the reasons.
#include <chrono>
#include <gtest/gtest.h>

#include <boxcar/error.hpp>
#include <boxcar/route_choice.hpp>

#include "support/thrown.hpp"

namespace boxcar::test::route_choice_test {
namespace {

TEST(route_choice, is_direct_for_few_pes) {
  for (const int pes : {1, 2, 4}) {
    EXPECT_EQ(choose_route({.pes = pes}).way.stages(), 1) << choose_route({.pes = pes}).reasons;
  }
}

// Section 6.1.2: more dimensions where there are few items, fewer where buffers fill anyway.
TEST(route_choice, has_fewer_dimensions_the_more_items_there_are) {
  for (const int pes : {64, 512, 4096}) {
    int before = most_dimensions + 1;
    int least = before;
    int most = 0;
    for (std::uint64_t items = 64; items <= std::uint64_t{1} << 26; items *= 4) {
      const int stages = choose_route({.pes = pes, .items_per_pe = items}).way.stages();
      EXPECT_LE(stages, before) << pes << " PEs, " << items << " items";
      before = stages;
      least = std::min(least, stages);
      most = std::max(most, stages);
    }
    EXPECT_LT(least, most) << pes;
  }
}

// Larger buffers would only delay their items.
TEST(route_choice, takes_no_larger_buffers_than_are_filled) {
  const auto c = choose_route({.pes = 64, .item_bytes = 8, .items_per_pe = 200});
  EXPECT_EQ(c.buffer_bytes, 1024U) << c.reasons;
}

// An unknown number of items counts as very many.
TEST(route_choice, takes_no_number_for_very_many) {
  const auto unknown = choose_route({.pes = 512});
  const auto many = choose_route({.pes = 512, .items_per_pe = std::uint64_t{1} << 40});
  EXPECT_EQ(unknown.way.describe(), many.way.describe());
}

TEST(route_choice, keeps_to_the_bound_of_memory) {
  for (const std::size_t bound :
       {std::size_t{1} << 15, std::size_t{1} << 20, std::size_t{1} << 25}) {
    const auto c = choose_route({.pes = 1000, .max_bytes = bound});
    EXPECT_LE(c.way.links(0).size() * 2 * c.buffer_bytes, bound) << c.reasons;
  }
  const auto least = choose_route({.pes = 1000, .max_bytes = 1});
  EXPECT_NE(least.reasons.find("nothing fits"), std::string::npos) << least.reasons;
  EXPECT_EQ(least.buffer_bytes, 1024U);
}

TEST(route_choice, has_the_node_as_the_last_dimension) {
  const auto c = choose_route({.pes = 1024, .pes_per_node = 16, .items_per_pe = 10000});
  EXPECT_NE(c.way.describe().find("x 16:"), std::string::npos) << c.way;
}

TEST(route_choice, takes_buffers_as_they_are_wanted_and_as_large_as_an_item) {
  EXPECT_EQ(choose_route({.pes = 64, .buffer_bytes = 4000}).buffer_bytes, 4000U);
  EXPECT_GE(choose_route({.pes = 64, .item_bytes = 60000, .max_bytes = 1}).buffer_bytes, 60000U);
  EXPECT_GE(choose_route({.pes = 64, .item_bytes = 500000}).buffer_bytes, 500000U);
}

TEST(route_choice, works_for_numbers_that_do_not_factor) {
  for (const int pes : {127, 1009, 32749}) {
    const auto c = choose_route({.pes = pes, .items_per_pe = 100});
    EXPECT_EQ(c.way.pes(), pes);
    EXPECT_GT(c.way.stages(), 1) << c.reasons;
  }
}

// Few and many nodes, fat and thin nodes, powers of two, primes, and nodes of different sizes.
// Without a bound, a PE has a 32nd of a GiB for buffers.
TEST(route_choice, fits_at_any_scale) {
  constexpr std::size_t share = std::size_t{1} << 25;
  constexpr int most_pes = 1 << 20;
  const auto begin = std::chrono::steady_clock::now();
  int choices = 0;
  for (const int per_node : {1, 2, 3, 24, 64, 128, 192, 1000, 8191, 100'003, 524'288}) {
    for (const int nodes :
         {1, 2, 7, 1024, 8191, 16'384, 65'537, 100'003, 131'072, 524'288, 1'048'573, most_pes}) {
      for (const int missing : {0, 1}) {  // the last node has one PE less
        const std::int64_t pes = std::int64_t{nodes} * per_node - missing;
        if (pes < 1 || pes > most_pes) continue;
        const auto c = choose_route({.pes = static_cast<int>(pes), .pes_per_node = per_node});
        const std::size_t links = c.way.links(0).size();
        EXPECT_LE(links * 2 * c.buffer_bytes, share) << c.reasons;
        EXPECT_LE(links, 16'384U) << c.reasons;
        ++choices;
      }
    }
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, choices * std::chrono::milliseconds(50));
}

// No stream can have 131,071 links, however much memory there is.
TEST(route_choice, never_takes_more_links_than_a_route_can_have) {
  for (const std::size_t bound : {std::size_t{1} << 40, std::size_t{1}}) {
    for (const int pes : {65'536, 131'072, 1'048'573}) {
      const auto c = choose_route({.pes = pes, .max_bytes = bound});
      EXPECT_LT(c.way.links(0).size(), 65'535U) << c.reasons;
      expect_mentions(c.reasons, {"more than a route can have"});
    }
  }
}

TEST(route_choice, says_why) {
  const auto c = choose_route({.pes = 64, .item_bytes = 32, .items_per_pe = 1000});
  expect_mentions(c.reasons, {"64 PEs", "32 bytes", "1000 from each PE", "8 x 8: 14 links",
                              "4 x 4 x 4: 9 links", "chosen: ", "shortest time"});
}

TEST(route_choice, refuses_what_cannot_be) {
  EXPECT_THROW((void)choose_route({.pes = 0}), argument_error);
  EXPECT_THROW((void)choose_route({.pes = 4, .pes_per_node = 0}), argument_error);
  EXPECT_THROW((void)choose_route({.pes = 4, .item_bytes = 0}), argument_error);
  EXPECT_THROW((void)choose_route({.pes = 4, .buffers_per_link = 0}), argument_error);
}

// The model itself, with known results.
TEST(busy_seconds, are_those_of_full_buffers_and_one_rest_per_link) {
  const model::link_costs link{1, 2, 10, 0, 0};
  const model::machine m{.gather_seconds = 0.5,
                         .within_node = link,
                         .between_nodes = link,
                         .cache_bytes = 1e9,
                         .cache_miss_seconds = 0};
  const model::exchange_plan plan{.sizes = {4},
                                  .item_bytes = 8,
                                  .items_per_pe = 400,
                                  .buffer_bytes = 80,
                                  .buffers_per_link = 1};
  // 300 items leave, 100 on each of 3 links, in 10 full buffers and a last buffer.
  EXPECT_DOUBLE_EQ(busy_seconds(plan, m), 300 * 0.5 + 3 * 11 * (1 + 2) + 10);
  // Within the node other costs hold.
  model::machine other = m;
  other.within_node.send_seconds = 2;
  model::exchange_plan node = plan;
  node.pes_per_node = 4;
  EXPECT_DOUBLE_EQ(busy_seconds(plan, other), busy_seconds(plan, m));
  EXPECT_DOUBLE_EQ(busy_seconds(node, other), busy_seconds(plan, m) + 33);
}

}  // namespace
}  // namespace boxcar::test::route_choice_test
