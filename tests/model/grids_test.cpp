// Figures of grids: Table 3.1, equations 3.3 to 3.6, memory.
#include <gtest/gtest.h>
#include <numeric>

#include <boxcar/error.hpp>
#include <boxcar/model.hpp>
#include <boxcar/route.hpp>

#include "support/thrown.hpp"

namespace boxcar::test::grids_test {
namespace {

using namespace boxcar::model;  // NOLINT: the tested functions

void expect_figures(const traffic_figures& f, double latency, double link_bytes, double injected,
                    double messages) {
  EXPECT_DOUBLE_EQ(f.item_latency_seconds, latency);
  EXPECT_DOUBLE_EQ(f.link_bytes, link_bytes);
  EXPECT_DOUBLE_EQ(f.injected_bytes, injected);
  EXPECT_DOUBLE_EQ(f.messages, messages);
}

TEST(grid_traffic, has_the_figures_of_table_3_1) {
  const double m = 32, e = 80, alpha = 2, beta = 0.125, g = 16, r = 64, n = 3, l = 5, z = 4096;
  const grid_traffic t{m, e, alpha, beta, g, r, n, l, z};
  const double buffer = alpha + beta * (g * m + e);
  expect_figures(sent_directly(t), alpha + beta * (m + e), l * z * (m + e), z * (m + e), z);
  expect_figures(over_grid_at_least(t), buffer, l * z * (m + e / g), z * (m + e / g), z / g);
  expect_figures(over_grid_at_most(t), n * (buffer + g / r), l * z * (m + e / g),
                 n * z * (m + e / g), n * z / g);
}

TEST(grid, links_are_the_sizes_less_one) {
  EXPECT_EQ(links_per_pe({16, 16, 16, 16}), 60);
  EXPECT_EQ(links_per_pe({32, 32, 32}), 93);
  EXPECT_EQ(links_per_pe({8, 8}), 14);
  EXPECT_EQ(links_per_pe({64}), 63);
}

// Section 3.4.2, which prints 512 MB for the first.
TEST(grid, buffers_take_less_than_direct_ones) {
  constexpr std::int64_t kib = 1024;
  constexpr std::int64_t gib = kib * kib * kib;
  EXPECT_EQ(buffer_memory_bytes(links_per_pe({65536}), 16 * kib), gib - 16 * kib);
  EXPECT_EQ(buffer_memory_bytes(links_per_pe({16, 16, 16, 16}), 16 * kib), 960 * kib);
  EXPECT_EQ(buffer_memory_bytes(60, 16 * kib, 2), 1920 * kib);
}

// Table 3.2; of the second line of the first topology 8.3 % is printed.
TEST(grid, hops_are_distributed_as_in_table_3_2) {
  EXPECT_EQ(pes_by_hops({32, 32, 32}), (std::vector<std::int64_t>{1, 93, 2883, 29791}));
  EXPECT_EQ(pes_by_hops({16, 16, 16, 16}), (std::vector<std::int64_t>{1, 60, 1350, 13500, 50625}));
  EXPECT_NEAR(100.0 * 2883 / 32768, 8.80, 0.005);
}

TEST(grid, hops_of_unequal_sizes_are_those_of_the_route) {
  for (const grid_sizes& sizes : std::vector<grid_sizes>{{7}, {1, 5}, {4, 4, 8}, {2, 3, 4, 5}}) {
    const int pes = std::accumulate(sizes.begin(), sizes.end(), 1, std::multiplies<>());
    const route r = route::grid(pes, sizes);
    std::vector<std::int64_t> counted(sizes.size() + 1);
    double sum = 0;
    for (int to = 0; to < pes; ++to) {
      ++counted[static_cast<std::size_t>(r.hops(1 % pes, to))];
      sum += r.hops(1 % pes, to);
    }
    EXPECT_EQ(pes_by_hops(sizes), counted) << to_text(sizes);
    EXPECT_NEAR(average_hops(sizes), sum / pes, 1e-12);
  }
}

// tests/route counts that the loads of the route are the same.
TEST(grid, loads_are_those_of_equations_3_4_to_3_6) {
  const grid_sizes sizes{4, 4, 8};
  const std::int64_t per_link[] = {32, 32, 16};
  const std::int64_t per_line[] = {384, 384, 896};
  for (int d = 0; d < 3; ++d) {
    EXPECT_EQ(pairs_per_link(sizes, d), per_link[d]);
    EXPECT_EQ(pairs_per_line(sizes, d), per_line[d]);
  }
  EXPECT_EQ(pairs_per_pe(sizes), 128);
  expect_mentions(thrown_by<argument_error>([&] { (void)pairs_per_link(sizes, 3); }),
                  {"4 x 4 x 8", "dimension 3"});
}

}  // namespace
}  // namespace boxcar::test::grids_test
