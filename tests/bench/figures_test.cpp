// What is computed from the seconds that were measured.
#include <gtest/gtest.h>

#include "result.hpp"
#include "text.hpp"

namespace boxcar::bench {
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
}  // namespace boxcar::bench
