// Tests of the figures computed from measured seconds.
#include <gtest/gtest.h>
#include <optional>
#include <utility>
#include <vector>

#include "overlap_figures.hpp"
#include "result.hpp"
#include "text.hpp"

namespace boxcar::bench::figures_test {
namespace {

TEST(figures, median_is_in_the_middle) {
  EXPECT_DOUBLE_EQ(median({3, 1, 2}), 2);
  EXPECT_DOUBLE_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_DOUBLE_EQ(median({7}), 7);
}

TEST(figures, spread_is_from_the_fastest_to_the_slowest) {
  EXPECT_DOUBLE_EQ(spread({2, 3, 1}), 1);
  EXPECT_DOUBLE_EQ(spread({5}), 0);
}

contender_result measured(role as, int workers, std::uint64_t items, std::vector<double> seconds) {
  contender_result c;
  c.role = as;
  c.workers = workers;
  c.items = items;
  c.seconds = std::move(seconds);
  return c;
}

TEST(figures, a_rate_is_per_pe) {
  EXPECT_DOUBLE_EQ(items_per_second_and_pe(measured(role::boxcar, 4, 800, {2})), 100);
}

TEST(figures, a_ratio_is_per_core_and_taken_round_by_round) {
  setting_result all;
  all.cores = 2;
  // 8 PEs share 2 cores: 400 items a core and session. The limit is one core.
  const auto ours = measured(role::boxcar, 8, 800, {4, 8, 40});
  const auto limit = measured(role::limit, 1, 100, {0.5, 1, 5});
  EXPECT_DOUBLE_EQ(ratio(all, ours, limit), 0.5) << "the machine was slow for both at times";
}

TEST(figures, the_limit_is_none_if_it_failed) {
  setting_result all;
  all.contenders.push_back(measured(role::limit, 1, 100, {1}));
  EXPECT_EQ(all.limit(), &all.contenders[0]);
  all.contenders[0].failure = "of some reason";
  EXPECT_EQ(all.limit(), nullptr);
}

TEST(figures, fill_is_of_all_hops) {
  traffic t;
  EXPECT_DOUBLE_EQ(t.fill(), 0);
  t.hops = {{1, 100, 100, 100}, {1, 50, 50, 100}};
  EXPECT_DOUBLE_EQ(t.fill(), 0.75);
}

contender_result overlapping(role as, std::vector<double> alone, std::vector<double> computing,
                             std::vector<double> both) {
  contender_result c = measured(as, 2, 20, std::move(alone));  // 10 runs in a session
  c.overlap = {.computing = std::move(computing), .both = std::move(both)};
  return c;
}

TEST(figures, overlap_is_the_share_of_the_shorter_that_takes_no_time) {
  const auto overlap_of = [](double alone, double computing, double both) {
    return overlap(overlapping(role::boxcar, {alone}, {computing}, {both}));
  };
  EXPECT_DOUBLE_EQ(overlap_of(2, 2, 4), 0);
  EXPECT_DOUBLE_EQ(overlap_of(2, 2, 2), 1);
  EXPECT_DOUBLE_EQ(overlap_of(2, 2, 3), 0.5);
  EXPECT_DOUBLE_EQ(overlap_of(2, 8, 9), 0.5) << "of the shorter";
  EXPECT_DOUBLE_EQ(overlap_of(8, 2, 9), 0.5) << "of the shorter";
  EXPECT_DOUBLE_EQ(overlap_of(2, 2, 5), 0) << "no less than nothing";
  EXPECT_DOUBLE_EQ(overlap_of(2, 2, 1), 1) << "no more than all";
}

TEST(figures, of_overlap_are_medians_of_a_run) {
  const auto c = overlapping(role::boxcar, {20, 10, 40}, {10, 10, 30}, {25, 12, 60});
  EXPECT_DOUBLE_EQ(latency(c), 2);
  EXPECT_DOUBLE_EQ(computing_time(c), 1);
  EXPECT_DOUBLE_EQ(time_of_both(c), 2.5);
  EXPECT_DOUBLE_EQ(overlap(c), 0.5) << "of 0.5, 0.8 and 0.33";
  EXPECT_DOUBLE_EQ(rest(c), 1.5) << "of 15, 2 and 30 for 10 runs";
}

TEST(figures, the_rest_is_compared_with_the_least_of_others) {
  setting_result all;
  all.contenders = {overlapping(role::boxcar, {10}, {10}, {12}),
                    overlapping(role::baseline, {10}, {10}, {18}),
                    overlapping(role::baseline, {10}, {10}, {14})};
  EXPECT_DOUBLE_EQ(rest_to_best_baseline(all, all.contenders[0]).value(), 0.5);
  EXPECT_DOUBLE_EQ(rest_to_best_baseline(all, all.contenders[1]).value(), 2);
  EXPECT_DOUBLE_EQ(rest_to_best_baseline(all, all.contenders[2]).value(), 1);

  contender_result perfect = overlapping(role::boxcar, {10}, {10}, {9});
  EXPECT_EQ(rest_to_best_baseline(all, perfect), std::nullopt);
  perfect.role = role::baseline;
  all.contenders.push_back(perfect);
  EXPECT_EQ(rest_to_best_baseline(all, all.contenders[0]), std::nullopt);
  all.contenders.resize(1);
  EXPECT_EQ(rest_to_best_baseline(all, all.contenders[0]), std::nullopt) << "there is no other";
}

TEST(text, is_as_people_read_numbers) {
  EXPECT_EQ(with_commas(1234567), "1,234,567");
  EXPECT_EQ(with_commas(12), "12");
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(1000), "1000 B");
  EXPECT_EQ(bytes_text(2048), "2 KiB");
  EXPECT_EQ(bytes_text(524288), "512 KiB");
  EXPECT_EQ(bytes_text(525312), "513 KiB");
  EXPECT_EQ(bytes_text(std::uint64_t{3} << 30), "3 GiB");
  EXPECT_EQ(seconds_text(0.0123), "12.3 ms");
  EXPECT_EQ(seconds_text(4.5e-6), "4.50 us");
  EXPECT_EQ(seconds_text(20), "20.0 s");
}

}  // namespace
}  // namespace boxcar::bench::figures_test
