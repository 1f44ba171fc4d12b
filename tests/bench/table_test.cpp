// Tests that the table has differing values in columns, and failures in words.
#include "table.hpp"

#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

namespace boxcar::bench::table_test {
namespace {

setting_result result_of(const setting& s) {
  setting_result r{s, "threads", 2, {}};
  contender_result ours;
  ours.name = "conveyor";
  ours.workers = s.pes;
  ours.items = 4'000'000;
  ours.sessions = 1;
  ours.seconds = {0.01, 0.011, 0.009};
  ours.traffic = traffic{{{2, 90, 90, 100}}, 2048};
  ours.explanation = "direct, of course\n";
  r.contenders.push_back(ours);
  contender_result limit = ours;
  limit.name = "limit";
  limit.role = role::limit;
  limit.workers = 1;
  limit.traffic.reset();
  r.contenders.push_back(limit);
  return r;
}

std::string printed(const std::vector<setting_result>& results,
                    const std::string& benchmark = "histogram") {
  std::vector<setting> settings;
  for (const setting_result& r : results) settings.push_back(r.how);
  std::ostringstream out;
  request wanted;
  wanted.benchmark = benchmark;
  table t(out, wanted, settings);
  for (const setting_result& r : results) t.add(r);
  t.end();
  return out.str();
}

TEST(table, of_one_setting_says_everything_above) {
  const std::string text =
      printed({result_of({.substrate = "threads", .pes = 2, .nodes = 1, .items = 7})});
  EXPECT_EQ(text.find("histogram, substrate threads, PEs 2, nodes 1, kind auto"), 0U) << text;
  EXPECT_NE(text.find("items of a PE 7"), std::string::npos) << text;
  EXPECT_EQ(text.find("table of a PE"), std::string::npos) << text;
  EXPECT_NE(text.find("direct, of course"), std::string::npos) << text;
  // 2,000,000 items of each PE in 10 ms; of the limit, with 2 cores, one half.
  EXPECT_NE(text.find("conveyor                   200.0"), std::string::npos) << text;
  EXPECT_NE(text.find("20 %   90 %     2 KiB      50 %"), std::string::npos) << text;
  EXPECT_NE(text.find("limit                      400.0"), std::string::npos) << text;
}

TEST(table, has_columns_for_what_differs) {
  const std::string text = printed({result_of({.substrate = "threads", .pes = 2, .nodes = 1}),
                                    result_of({.substrate = "threads", .pes = 4, .nodes = 1})});
  EXPECT_EQ(text.find("histogram, substrate threads, nodes 1"), 0U) << text;
  EXPECT_NE(text.find("\nPEs"), std::string::npos) << text;
  EXPECT_NE(text.find("\n  2  conveyor"), std::string::npos) << text;
  EXPECT_NE(text.find("\n  4  limit"), std::string::npos) << text;
  EXPECT_EQ(text.find("direct, of course"), std::string::npos) << text;
}

TEST(table, shows_three_digits_of_small_rates) {
  setting_result result =
      result_of({.substrate = "threads", .pes = 2, .nodes = 1, .item_bytes = 8});
  for (contender_result& c : result.contenders) c.items /= 10'000;
  const std::string text = printed({result});
  EXPECT_NE(text.find("conveyor                  0.0200 0.000160"), std::string::npos) << text;
}

TEST(table, marks_who_does_less) {
  setting_result result = result_of({.substrate = "threads", .pes = 2, .nodes = 1});
  contender_result slow = result.contenders.front();
  slow.name = "slow";
  slow.role = role::baseline;
  slow.items = 20'000;
  result.contenders.push_back(slow);
  const std::string text = printed({result});
  EXPECT_NE(text.find("\nslow *  "), std::string::npos) << text;
  EXPECT_EQ(text.find("conveyor *"), std::string::npos) << text;
  EXPECT_NE(text.find("\n* sessions of 10,000 items of a PE\n"), std::string::npos) << text;
}

TEST(table, has_a_row_for_what_cannot_be) {
  setting_result cannot{{.substrate = "threads", .pes = 4, .nodes = 1}, "threads", 2};
  cannot.failure = "there is no such thing";
  const std::string text =
      printed({result_of({.substrate = "threads", .pes = 2, .nodes = 1}), cannot});
  EXPECT_NE(text.find("\n  4  FAILED: there is no such thing\n"), std::string::npos) << text;
}

TEST(table, of_overlap_has_the_figures_of_a_run) {
  setting_result result = result_of({.substrate = "threads", .pes = 2, .nodes = 1});
  result.contenders.resize(1);
  contender_result& ours = result.contenders.front();
  ours.items = 2000;  // 1000 runs
  ours.overlap = {.computing = {0.01, 0.01, 0.01}, .both = {0.016, 0.015, 0.014}};
  contender_result other = ours;
  other.name = "nonblocking";
  other.role = role::baseline;
  other.overlap->both = {0.02, 0.02, 0.02};
  result.contenders.push_back(other);
  const std::string text = printed({result}, "overlap");
  EXPECT_EQ(text.find("overlap, substrate threads"), 0U) << text;
  EXPECT_NE(text.find("latency us    loop us    both us  overlap    rest us  of best MPI"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("conveyor                 10.00      10.00      15.00     56 %       5.00"
                      "       0.50 x"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("nonblocking              10.00      10.00      20.00"), std::string::npos)
      << text;
  EXPECT_EQ(text.find("GB/s"), std::string::npos) << text;
}

TEST(table, says_what_failed) {
  setting_result result = result_of({.substrate = "threads", .pes = 2, .nodes = 1});
  contender_result failed;
  failed.name = "somebody else";
  failed.role = role::baseline;
  failed.failure = "PE 1: fell over";
  result.contenders.push_back(failed);
  const std::string text = printed({result});
  EXPECT_NE(text.find("somebody else       FAILED: PE 1: fell over"), std::string::npos) << text;
}

}  // namespace
}  // namespace boxcar::bench::table_test
