// Tests of the file with the fastest algorithms of a machine, and of the table that it gives.
#include "collective/calibration.hpp"

#include <cstddef>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include <boxcar/error.hpp>

#include "collective/collective_case.hpp"
#include "collective/measured_ways.hpp"
#include "collective/ways_of_machine.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::calibration_test {
namespace {

using detail::collective_operation;
using detail::measured_way;
using detail::way_table;
using detail::ways_of_machine;

constexpr std::size_t any = measured_way::any_bytes;

std::vector<measured_way> two_collectives() {
  return {{collective_operation::broadcast, 2, 0, 100, topology::ring, 2, 0, true},
          {collective_operation::broadcast, 2, 100, any, topology::k_ary_tree, 3, 4096, true},
          {collective_operation::barrier, 2, 0, any, topology::shared_memory, 2, 0, true},
          {collective_operation::broadcast, 6, 0, any, topology::chain, 1, 64, true}};
}

std::string refusal(const std::string& text) {
  return thrown_by<argument_error>(
      [&] { static_cast<void>(detail::parse_calibration(text, "the file")); });
}

TEST(calibration, is_read_as_written) {
  const std::vector<measured_way> rows = two_collectives();
  EXPECT_EQ(detail::parse_calibration(detail::calibration_text(rows), "the file"), rows);
  EXPECT_TRUE(detail::parse_calibration(detail::calibration_text({}), "the file").empty());
}

TEST(calibration, refuses_what_cannot_be) {
  const std::string good = "broadcast 2 0 100 ring 2 0\nbroadcast 2 100 any chain 2 64\n";
  EXPECT_EQ(detail::parse_calibration(good, "").size(), 2U);
  expect_mentions(refusal("# a remark\ndance 2 0 any ring 2 0\n"),
                  {"the file, line 2: there is no collective \"dance\"", "boxcar calibrate"});
  expect_mentions(refusal("broadcast 1 0 any ring 2 0\n"), {"\"1\" is no number from 2 to"});
  expect_mentions(refusal("broadcast -2 0 any ring 2 0\n"), {"\"-2\" is no number"});
  expect_mentions(refusal("broadcast 2 0 many ring 2 0\n"), {"\"many\" is no number"});
  expect_mentions(refusal("broadcast 2 0 any circle 2 0\n"),
                  {"a broadcast cannot go over \"circle\""});
  expect_mentions(refusal("scan 2 0 any ring 2 0\n"), {"a scan cannot go over \"ring\""});
  expect_mentions(refusal("broadcast 2 0 any k_nomial_tree 1 0\n"), {"\"1\" is no number from 2"});
  expect_mentions(refusal("broadcast 2 0 any ring 2\n"), {"a word is missing"});
  expect_mentions(refusal("broadcast 2 0 any ring 2 0 9\n"), {"\"9\" is more than a row has"});
  for (const char* rows :
       {"broadcast 2 5 any ring 2 0\n", "broadcast 2 0 10 ring 2 0\nbroadcast 2 20 any ring 2 0\n",
        "broadcast 2 0 10 ring 2 0\nbroadcast 2 10 10 ring 2 0\n",
        "broadcast 2 0 10 ring 2 0\nbroadcast 4 0 any ring 2 0\n",
        "broadcast 2 0 any ring 2 0\nscan 2 0 any chain 2 0\nbroadcast 2 0 any ring 2 0\n"}) {
    expect_mentions(refusal(rows), {"do not follow one another"});
  }
  expect_mentions(refusal("broadcast 2 0 10 ring 2 0\n"), {"line 2", "most bytes is missing"});
}

TEST(calibration, replaces_the_rows_of_its_collectives_and_pes) {
  const way_table table = way_table::built_in().with(two_collectives());
  const auto over = [&](collective_operation kind, int pes, std::size_t bytes) {
    return table.find(kind, pes, bytes).over;
  };
  EXPECT_EQ(over(collective_operation::broadcast, 2, 0), topology::ring);
  EXPECT_EQ(over(collective_operation::broadcast, 2, 100), topology::ring);
  EXPECT_EQ(over(collective_operation::broadcast, 3, 101), topology::k_ary_tree);
  EXPECT_EQ(over(collective_operation::broadcast, 7, 5), topology::chain);
  for (const auto kind : {collective_operation::broadcast, collective_operation::all_to_all}) {
    for (const int pes : {2, 4, 5, 8, 16, 100}) {
      const measured_way row = table.find(kind, pes, 5000);
      if (row.is_calibrated) continue;
      EXPECT_EQ(row, way_table::built_in().find(kind, pes, 5000));
      EXPECT_TRUE(kind == collective_operation::all_to_all || pes == 4 || pes == 5 || pes > 7);
    }
  }
}

TEST(calibration, of_a_machine_counts_if_it_is_right) {
  const std::string name = testing::TempDir() + "calibration_of_a_machine.txt";
  const auto read_with = [&](const std::string& text) {
    std::ofstream(name) << text;
    return ways_of_machine::read(name);
  };
  const ways_of_machine good = read_with(detail::calibration_text(two_collectives()));
  EXPECT_NE(good.mark, 0U);
  EXPECT_EQ(good.problem, "");
  EXPECT_EQ(good.table.find(collective_operation::broadcast, 2, 0).over, topology::ring);
  EXPECT_EQ(read_with(detail::calibration_text(two_collectives())).mark, good.mark);
  EXPECT_NE(read_with("broadcast 2 0 any ring 2 0\n").mark, good.mark);
  EXPECT_EQ(read_with("").mark, 0U);
  const ways_of_machine bad = read_with("nonsense");
  EXPECT_EQ(bad.mark, 0U);
  expect_mentions(bad.problem, {name + ", line 1"});
  EXPECT_EQ(bad.table.find(collective_operation::broadcast, 2, 0).is_calibrated, false);
  const ways_of_machine none = ways_of_machine::read(name + ".not_there");
  EXPECT_EQ(none.mark, 0U);
  EXPECT_EQ(none.problem, "");
}

}  // namespace
}  // namespace boxcar::test::calibration_test
