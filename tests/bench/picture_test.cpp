// Tests that a picture has the measured values, and a title.
#include "picture.hpp"

#include <cstddef>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include <boxcar/error.hpp>

#include "plot.hpp"

namespace boxcar::bench::picture_test {
namespace {

contender_result measured(const std::string& name, role as, double seconds_of_a_run) {
  contender_result c;
  c.name = name;
  c.role = as;
  c.workers = 2;
  c.items = 20;  // 10 runs of each
  c.sessions = 1;
  c.seconds = {10 * seconds_of_a_run};
  c.overlap = {.computing = c.seconds, .both = {15 * seconds_of_a_run}};
  return c;
}

setting_result result_of(const std::string& problem_class, std::size_t bytes, int pes = 2) {
  const setting s{.substrate = "threads",
                  .pes = pes,
                  .nodes = 1,
                  .item_bytes = bytes,
                  .problem_class = problem_class};
  setting_result r{s, "threads", 2, {}};
  const double seconds = 1e-9 * static_cast<double>(bytes);
  r.contenders = {measured("automatic", role::boxcar, seconds),
                  measured("nonblocking", role::baseline, 2 * seconds)};
  return r;
}

request asking_for(const std::string& benchmark) {
  request wanted;
  wanted.benchmark = benchmark;
  wanted.plot = "picture.svg";
  return wanted;
}

int count(const std::string& text, const std::string& what) {
  int n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

TEST(picture, of_collectives_has_latencies_over_sizes) {
  const plot p =
      picture_of(asking_for("collectives"),
                 {result_of("scan", 4096), result_of("scan", 1024), result_of("barrier", 1024)});
  EXPECT_EQ(p.title, "collectives: 2 PEs on 1 node, substrate threads");
  ASSERT_EQ(p.rows.size(), 1U);
  ASSERT_EQ(p.rows[0].size(), 2U);
  const panel& first = p.rows[0][0];
  EXPECT_EQ(first.title, "scan");
  EXPECT_EQ(first.x.label, "bytes of a block");
  EXPECT_EQ(first.y.label, "latency (µs)");
  ASSERT_EQ(first.lines.size(), 2U);
  EXPECT_EQ(first.lines[0].name, "Boxcar, automatic");
  EXPECT_EQ(first.lines[1].name, "MPI, nonblocking");
  ASSERT_EQ(first.lines[1].points.size(), 2U);
  EXPECT_DOUBLE_EQ(first.lines[1].points[0].x, 1024) << "from left to right";
  EXPECT_DOUBLE_EQ(first.lines[1].points[0].y, 2.048);
  EXPECT_DOUBLE_EQ(first.lines[1].points[1].x, 4096);
  EXPECT_EQ(first.x.text(4096), "4 KiB");
  EXPECT_EQ(first.y.text(0.02), "0.02");
  EXPECT_EQ(first.y.text(2.048), "2.05");
  EXPECT_EQ(first.y.text(20'000), "20,000");
  EXPECT_EQ(p.rows[0][1].title, "barrier");
}

TEST(picture, of_overlap_has_a_row_for_each_class) {
  const plot p = picture_of(asking_for("overlap"), {result_of("scan", 8), result_of("gather", 8)});
  ASSERT_EQ(p.rows.size(), 2U);
  ASSERT_EQ(p.rows[1].size(), 3U);
  EXPECT_EQ(p.rows[1][0].title, "gather");
  EXPECT_EQ(p.rows[1][1].y.label, "overlap (%)");
  EXPECT_DOUBLE_EQ(p.rows[1][1].lines[0].points[0].y, 50);
  EXPECT_EQ(p.rows[1][2].y.label, "part that does not overlap (µs)");
  EXPECT_DOUBLE_EQ(p.rows[1][2].lines[0].points[0].y, 0.004);
}

TEST(picture, tells_worlds_apart) {
  const plot p =
      picture_of(asking_for("collectives"), {result_of("scan", 8, 2), result_of("scan", 8, 4)});
  EXPECT_EQ(p.title, "collectives");
  ASSERT_EQ(p.rows[0].size(), 2U);
  EXPECT_EQ(p.rows[0][1].title, "scan: 4 PEs on 1 node, substrate threads");
}

TEST(picture, leaves_out_what_it_cannot_show) {
  setting_result failed = result_of("scan", 8);
  failed.contenders[0].failure = "of some reason";
  failed.contenders[1].overlap->both = {0};  // less than the computation alone
  const plot p = picture_of(asking_for("overlap"), {failed});
  ASSERT_EQ(p.rows.size(), 1U);
  ASSERT_EQ(p.rows[0][0].lines.size(), 1U);
  EXPECT_EQ(p.rows[0][0].lines[0].name, "MPI, nonblocking");
  EXPECT_TRUE(p.rows[0][2].lines.empty()) << "there is no logarithm";
  EXPECT_EQ(count(svg_of(p), "class=\"panel\""), 3) << "also with nothing in it";
}

TEST(picture, is_refused_where_there_is_none) {
  EXPECT_THROW(check_picture(asking_for("histogram")), argument_error);
  EXPECT_NO_THROW(check_picture(asking_for("overlap")));
  request both = asking_for("overlap");
  both.json = both.plot;
  EXPECT_THROW(check_picture(both), argument_error);
}

TEST(plot, puts_points_in_their_places) {
  const auto text = [](double value) { return std::to_string(static_cast<int>(value)); };
  const panel half{.title = "a & b",
                   .x = {"across", scale::by_twos(1, 16), text},
                   .y = {"up", scale::linear(0, 100), text},
                   .lines = {{"one", {{1, 0}, {4, 50}, {16, 100}}}, {"two", {{4, 25}}}}};
  const std::string svg = svg_of({.title = "<all>", .rows = {{half}}});
  // The panel has 320 by 220 pixels, downwards.
  EXPECT_EQ(count(svg, "points=\"0.0,220.0 160.0,110.0 320.0,0.0\""), 1) << svg;
  EXPECT_EQ(count(svg, "data-x=\"4\" data-y=\"25\"><path transform=\"translate(160.0 165.0)\""), 1)
      << svg;
  EXPECT_EQ(count(svg, "data-value=\"2\" x1=\"80.0\""), 1) << svg;
  EXPECT_EQ(count(svg, "&lt;all&gt;"), 2) << "as a name and as text: " << svg;
  EXPECT_EQ(count(svg, "a &amp; b"), 1) << svg;
  EXPECT_EQ(count(svg, "class=\"line\""), 2) << svg;
}

TEST(plot, has_another_mark_for_each_of_many) {
  const auto text = [](double) { return std::string("?"); };
  panel crowded{.title = "",
                .x = {"", scale::by_twos(1, 2), text},
                .y = {"", scale::linear(0, 100), text},
                .lines = {}};
  for (int i = 0; i < 14; ++i) crowded.lines.push_back({"line " + std::to_string(i), {{1, 1}}});
  const std::string svg = svg_of({.title = "", .rows = {{crowded}}});
  std::vector<std::string> styles;
  for (std::size_t at = svg.find("class=\"line\""); at != std::string::npos;
       at = svg.find("class=\"line\"", at + 1)) {
    const std::size_t stroke = svg.find("stroke=", at);
    const std::size_t mark = svg.find(" d=\"", at);
    styles.push_back(svg.substr(stroke, svg.find('>', stroke) - stroke) +
                     svg.substr(mark, svg.find('>', mark) - mark));
  }
  ASSERT_EQ(styles.size(), 14U);
  for (std::size_t i = 0; i < styles.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(styles[i], styles[j]);
  }
}

}  // namespace
}  // namespace boxcar::bench::picture_test
