// Tests of `boxcar plan`: its output for people and programs, and its errors.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/thrown.hpp"
#include "tool/launched.hpp"

namespace boxcar::test::plan_command_test {
namespace {

ending_seen plan(const std::vector<std::string>& options) {
  std::vector<std::string> words{"plan"};
  words.insert(words.end(), options.begin(), options.end());
  return boxcar_command(words);
}

TEST(plan_command, prints_the_options_to_write) {
  const ending_seen seen = plan({"--nodes", "512", "--pes-per-node", "64", "--item-bytes", "8",
                                 "--network", "slingshot", "--memory", "64MiB"});
  EXPECT_EQ(seen.status, 0) << seen.errors;
  EXPECT_EQ(seen.errors, "");
  expect_mentions(
      seen.output,
      {"512 nodes of 64 PEs, slingshot; items of 8 bytes, very many", "at most 64 MiB",
       "    conveyor_options{.kind = conveyor_kind::tensor, .hops = 3, .local_group = 64, ",
       "\nmemory   ", "items/s per PE, ", "GB/s from each node",
       "limit    the adapter of a node, busy 9", "one hop, ", "synchronous, two hops"});
}

TEST(plan_command, says_which_ways_do_not_fit) {
  const ending_seen seen =
      plan({"--nodes", "256", "--pes-per-node", "64", "--memory", "1MiB", "--network", "aries"});
  EXPECT_EQ(seen.status, 0) << seen.errors;
  expect_mentions(seen.output,
                  {"   none    one hop, ", "for 16384 links, of the 1 MiB that there"});
}

TEST(plan_command, warns_of_much_memory_without_a_bound) {
  const std::vector<std::string> machine{"--nodes", "99991", "--pes-per-node", "7"};
  const ending_seen seen = plan(machine);
  EXPECT_EQ(seen.status, 0) << seen.errors;
  expect_mentions(seen.output, {"\nwarning  the buffers take ", " GiB on a PE and ",
                                " GiB on a node: bound them by --memory"});
  std::vector<std::string> bounded = machine;
  bounded.insert(bounded.end(), {"--memory", "1GiB"});
  EXPECT_EQ(plan(bounded).output.find("warning"), std::string::npos);
}

TEST(plan_command, checks_by_simulation_and_writes_json) {
  const std::string file = testing::TempDir() + "boxcar_plan_test.json";
  const ending_seen seen = plan({"--nodes", "4", "--pes-per-node", "4", "--items", "200",
                                 "--network", "aries", "--check", "5", "--json", file});
  EXPECT_EQ(seen.status, 0) << seen.errors;
  expect_mentions(seen.output, {"simulated: 5 settings", "<- shortest", "the plan takes "});
  std::ifstream in(file);
  const auto all = nlohmann::json::parse(in);
  std::remove(file.c_str());
  EXPECT_EQ(all["items_per_pe"], 200);
  EXPECT_EQ(all["best"]["way"], all["simulated"][0]["way"]);
  EXPECT_EQ(all["simulated"].size(), 5U);
  for (const auto& one : all["simulated"]) EXPECT_GT(one["simulated_seconds"], 0.0);
  EXPECT_GT(all["settings_compared"], 100);
  EXPECT_FALSE(all["runners_up"].empty());
}

// Plans for a network given by the text of its file.
ending_seen plan_for(const std::string& network) {
  const std::string file = testing::TempDir() + "boxcar_plan_test.network";
  { std::ofstream(file) << network; }
  const ending_seen seen =
      plan({"--nodes", "8", "--pes-per-node", "2", "--items", "100", "--network", file});
  std::remove(file.c_str());
  return seen;
}

TEST(plan_command, takes_no_longer_for_more_items) {
  const ending_seen seen = plan({"--nodes", "8", "--pes-per-node", "2", "--items",
                                 "18446744073709551615", "--item-bytes", "64"});
  EXPECT_EQ(seen.status, 0) << seen.errors;
  expect_mentions(seen.output, {"18446744073709551615 from each PE", "GB/s from each node"});
  EXPECT_EQ(seen.output.find("inf"), std::string::npos) << seen.output;
  EXPECT_EQ(seen.output.find("nan"), std::string::npos) << seen.output;
}

TEST(plan_command, complains_of_networks_that_cannot_be_computed_with) {
  const std::string torus = "topology = \"torus\"\ntorus.sizes = ";
  for (const char* sizes : {"[65536, 65536]", "[65536, 65536, 65536, 65536]",
                            "[2147483647, 2147483647, 2147483647, 2]"}) {
    const ending_seen seen = plan_for(torus + sizes + "\n");
    EXPECT_EQ(seen.status, 2) << sizes;
    expect_mentions(seen.errors, {"torus.sizes", "more than 2147483647 places", "smaller sizes"});
  }
  for (const char* cost : {"other_node.latency = 1e300", "core.push = 1e300",
                           "topology = \"torus\"\nlink.gap_per_byte = 1e308"}) {
    const ending_seen seen = plan_for(std::string(cost) + "\n");
    EXPECT_EQ(seen.status, 2) << cost;
    expect_mentions(seen.errors, {"a cost of the network", "give 0 to 1e12"});
  }
  std::string free;
  for (const char* level : {"same_node", "other_node"}) {
    for (const char* cost : {"latency", "overhead", "overhead_per_byte", "gap", "gap_per_byte"}) {
      free += std::string(level) + "." + cost + " = 0\n";
    }
  }
  for (const char* cost : {"push", "pivot", "pull", "byte", "miss", "change"}) {
    free += std::string("core.") + cost + " = 0\n";
  }
  const ending_seen seen = plan_for(free);
  EXPECT_EQ(seen.status, 2) << seen.output;
  expect_mentions(seen.errors, {"takes no time", "give the network's costs"});
}

TEST(plan_command, complains_of_wrong_input) {
  const std::vector<std::string> machine{"--nodes", "8", "--pes-per-node", "8"};
  const auto complaint = [&](std::vector<std::string> more) {
    more.insert(more.begin(), machine.begin(), machine.end());
    const ending_seen seen = plan(more);
    EXPECT_EQ(seen.status, 2) << seen.errors;
    EXPECT_EQ(seen.output, "");
    return seen.errors;
  };
  expect_mentions(complaint({"--network", "tokenring"}),
                  {"tokenring", "give aries, blue-gene-p", "or the path of a file"});
  expect_mentions(complaint({"--memory", "2KiB"}), {"2048 bytes on each PE: give at least "});
  expect_mentions(complaint({"--memory", "lots"}), {"\"lots\" is not a size", "KiB, MiB or GiB"});
  expect_mentions(complaint({"--item-bytes", "1MiB"}), {"item_bytes = 1048576: give 1 to 65536"});
  expect_mentions(complaint({"--items", "0"}), {"\"0\" is not a whole number from 1"});
  expect_mentions(complaint({"--check", "all"}), {"--items"});
  expect_mentions(complaint({"--check", "-3", "--items", "5"}), {"-3"});
  expect_mentions(plan({"--nodes", "-1", "--pes-per-node", "8"}).errors, {"-1", "from 1 to"});
  expect_mentions(plan({"--nodes", "9"}).errors, {"--pes-per-node is required"});
  expect_mentions(plan({"--nodes", "4000000", "--pes-per-node", "64"}).errors,
                  {"256000000: give 1 to 4194304"});
}

TEST(plan_command, says_where_networks_are_looked_for) {
  const std::filesystem::path folder = testing::TempDir() + "boxcar_plan_alone";
  std::filesystem::create_directories(folder / "bin");
  const std::filesystem::path copy = folder / "bin" / "planner";
  std::filesystem::copy_file(BOXCAR_PLANNER, copy,
                             std::filesystem::copy_options::overwrite_existing);
  const ending_seen seen = boxcar_command(
      {"--nodes", "8", "--pes-per-node", "8", "--network", "aries"}, {.command = copy.string()});
  std::filesystem::remove_all(folder);
  EXPECT_EQ(seen.status, 2) << seen.errors;
  expect_mentions(seen.errors,
                  {"--network aries", "none are in",
                   (folder / "share" / "boxcar" / "networks").string(), "give the path of a file"});
}

}  // namespace
}  // namespace boxcar::test::plan_command_test
