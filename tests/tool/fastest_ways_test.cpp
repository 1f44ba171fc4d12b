// Tests of the choice of the fastest algorithm by the times of its turns.
#include "calibrate/fastest_ways.hpp"

#include <cstddef>
#include <gtest/gtest.h>
#include <vector>

namespace boxcar::test::fastest_ways_test {
namespace {

using detail::collective_operation;
using detail::measured_way;
using tool::timed_way;
using tool::timed_ways;

constexpr std::size_t any = measured_way::any_bytes;

timed_way timed(topology over, std::vector<double> seconds, std::size_t piece = 0) {
  return {{.kind = collective_operation::broadcast, .pes = 2, .over = over, .segment_bytes = piece},
          std::move(seconds)};
}

TEST(fastest_ways, keep_the_built_in_choice_unless_another_is_clearly_faster) {
  const auto best_of = [](std::size_t bytes, std::vector<timed_way> each) {
    return tool::fastest_of({bytes, std::move(each)});
  };
  const timed_way built_in = timed(topology::ring, {10, 10, 10});
  EXPECT_EQ(best_of(8, {built_in}), 0U);
  EXPECT_EQ(best_of(8, {built_in, timed(topology::pairwise, {9.5, 9.5, 9.5})}), 0U);
  EXPECT_EQ(best_of(8, {built_in, timed(topology::pairwise, {8, 8, 8})}), 1U);
  EXPECT_EQ(best_of(8, {built_in, timed(topology::pairwise, {8, 8, 8}),
                        timed(topology::butterfly, {7, 7, 7})}),
            2U);
  // One lucky turn decides nothing: turns are compared pairwise.
  EXPECT_EQ(best_of(8, {built_in, timed(topology::pairwise, {1, 10, 10})}), 0U);
  EXPECT_EQ(
      best_of(8, {timed(topology::ring, {10, 100, 1000}), timed(topology::pairwise, {8, 80, 800})}),
      1U);
  // Data travel in shared memory while the PE waits.
  const timed_way shared = timed(topology::shared_memory, {8.5, 8.5, 8.5});
  EXPECT_EQ(best_of(8, {built_in, shared}), 1U);
  EXPECT_EQ(best_of(1 << 16, {built_in, shared}), 0U);
}

TEST(fastest_ways, cover_all_bytes) {
  const auto point = [](std::size_t bytes, topology best) {
    return timed_ways{bytes, {timed(best, {1})}};
  };
  const std::vector<timed_ways> sizes{point(8, topology::ring), point(512, topology::ring),
                                      point(1024, topology::chain), point(4096, topology::chain),
                                      point(1 << 20, topology::pairwise)};
  const std::vector<measured_way> rows = tool::fastest_ways(sizes);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].over, topology::ring);
  EXPECT_EQ(rows[1].over, topology::chain);
  EXPECT_EQ(rows[2].over, topology::pairwise);
  EXPECT_EQ(rows[0].above_bytes, 0U);
  EXPECT_EQ(rows[2].most_bytes, any);
  for (std::size_t i = 1; i != rows.size(); ++i) {
    EXPECT_EQ(rows[i].above_bytes, rows[i - 1].most_bytes);
    EXPECT_TRUE(rows[i].is_calibrated);
  }
  EXPECT_GE(rows[0].most_bytes, 512U);
  EXPECT_LT(rows[0].most_bytes, 1024U);
  EXPECT_GE(rows[1].most_bytes, 4096U);
  EXPECT_LT(rows[1].most_bytes, 1U << 20);
}

// Where nothing is faster the table stays as it is, also for more bytes than are measured.
TEST(fastest_ways, are_the_built_in_rows_if_nothing_is_faster) {
  const auto& table = detail::way_table::built_in();
  for (std::size_t i = 0; i != table.rows().size(); ++i) {
    const measured_way& first = table.rows()[i];
    if (first.above_bytes != 0) continue;
    std::vector<timed_ways> sizes;
    for (const std::size_t bytes : {8UL, 512UL, 4096UL, 32768UL, 65536UL, 262144UL, 1048576UL}) {
      measured_way way = table.find(first.kind, first.pes, bytes);
      way.above_bytes = 0;
      way.most_bytes = any;
      sizes.push_back({bytes, {{way, {1}}}});
    }
    const auto best = table.with(tool::fastest_ways(sizes));
    for (const std::size_t bytes : {0UL, 8UL, 512UL, 65536UL, 1UL << 20, 1UL << 22, 1UL << 40}) {
      EXPECT_TRUE(is_same_way(best.find(first.kind, first.pes, bytes),
                              table.find(first.kind, first.pes, bytes)))
          << text_of(first) << ", " << bytes << " bytes";
    }
  }
}

// Each PE keeps its input in shared memory: much data go another way.
TEST(fastest_ways, take_shared_memory_for_little) {
  const std::vector<timed_ways> sizes{
      {1 << 16, {timed(topology::ring, {1}), timed(topology::shared_memory, {0.1})}}};
  const std::vector<measured_way> rows = tool::fastest_ways(sizes);
  ASSERT_GE(rows.size(), 2U);
  EXPECT_EQ(rows[0].over, topology::shared_memory);
  EXPECT_EQ(rows[0].most_bytes, 1U << 20);
  EXPECT_NE(rows[1].over, topology::shared_memory);
  EXPECT_EQ(rows.back().most_bytes, any);
}

TEST(fastest_ways, are_sound) {
  const auto way = [](collective_operation kind, topology over, std::size_t piece) {
    return measured_way{.kind = kind, .pes = 4, .over = over, .segment_bytes = piece};
  };
  using enum collective_operation;
  EXPECT_TRUE(tool::is_sound(way(broadcast, topology::shared_memory, 0), 1 << 20));
  EXPECT_FALSE(tool::is_sound(way(all_reduce, topology::shared_memory, 0), 1 << 20));
  EXPECT_FALSE(tool::is_sound(way(broadcast, topology::chain, 0), 8));
  EXPECT_FALSE(tool::is_sound(way(broadcast, topology::chain, 1 << 16), 3 << 16));
  EXPECT_TRUE(tool::is_sound(way(broadcast, topology::chain, 1 << 16), 4 << 16));
  EXPECT_TRUE(tool::is_sound(way(scan, topology::chain, 0), 8));
  EXPECT_FALSE(tool::is_sound(way(scan, topology::chain, 0), 1 << 20));
  EXPECT_TRUE(tool::is_sound(way(gather, topology::k_ary_tree, 0), 1 << 30));
}

}  // namespace
}  // namespace boxcar::test::fastest_ways_test
