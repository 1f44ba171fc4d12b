// Tests of the choice of a setting.
#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

#include <boxcar/conveyor.hpp>
#include <boxcar/conveyor_plan.hpp>
#include <boxcar/error.hpp>
#include <boxcar/simulate.hpp>

#include "planner/trial.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::plan_test {
namespace {

simulated_network network_of(const std::string& name) {
  std::string path = BOXCAR_NETWORKS;
  path += name;
  path += ".network";
  return read_network(path);
}

struct small_case {
  const char* network;
  plan_request wish;
};

// A dozen cases; experiments/planner has more, and larger cases.
const small_case small_cases[] = {{"slingshot", {2, 8, 8, 500, 0}},
                                  {"slingshot", {8, 2, 64, 100, 1 << 14}},
                                  {"hdr-infiniband", {4, 4, 8, 2000, 0}},
                                  {"hdr-infiniband", {1, 16, 16, 1000, 0}},
                                  {"aries", {4, 4, 8, 100, 0}},
                                  {"aries", {16, 1, 8, 1000, 1 << 15}},
                                  {"ethernet-25g", {4, 4, 8, 300, 0}},
                                  {"ethernet-25g", {8, 4, 16, 1000, 1 << 15}},
                                  {"ethernet-100g", {3, 6, 200, 60, 0}},
                                  {"ethernet-100g", {8, 4, 8, 50, 0}},
                                  {"ethernet-100g", {2, 8, 24, 400, 48 << 10}},
                                  {"blue-gene-p", {4, 4, 8, 1000, 1 << 16}},
                                  {"blue-gene-q", {4, 8, 8, 200, 0}}};

TEST(plan, is_within_a_tenth_of_the_best_of_all_settings) {
  for (const auto& [name, wish] : small_cases) {
    const simulated_network network = network_of(name);
    double chosen = 0;
    double best = std::numeric_limits<double>::max();
    std::string best_way;
    for (const planned_setting& p : plan_conveyor(wish, network)) {
      // No session can take less (has_bounds_that_no_session_beats).
      if (0.97 * std::max({p.core_seconds, p.adapter_seconds, p.link_seconds}) > best) continue;
      const double seconds = planner::try_setting(wish, network, p.options).seconds;
      if (chosen == 0) chosen = seconds;
      if (seconds >= best) continue;
      best = seconds;
      best_way = p.way + ", buffers of " + std::to_string(p.options.buffer_bytes);
    }
    EXPECT_LE(chosen, 1.1 * best) << name << ", " << wish.nodes << " x " << wish.pes_per_node
                                  << ": better is " << best_way;
  }
}

TEST(plan, keeps_to_the_memory_and_says_what_it_takes) {
  plan_request wish{.nodes = 64, .pes_per_node = 16};
  std::size_t least = 0;
  for (wish.max_bytes = std::size_t{1} << 30; least == 0; wish.max_bytes /= 4) {
    try {
      for (const planned_setting& p : plan_conveyor(wish, {})) {
        EXPECT_LE(p.memory_bytes, wish.max_bytes) << p.way;
      }
    } catch (const argument_error& e) {
      const std::string text = e.what();
      const std::string before = "give at least ";
      const auto at = text.find(before);
      ASSERT_NE(at, std::string::npos) << text;
      least = std::stoul(text.substr(at + before.size()));
      expect_mentions(text, {std::to_string(wish.max_bytes), "64 nodes of 16 PEs"});
    }
  }
  wish.max_bytes = least;
  EXPECT_EQ(plan_conveyor(wish, {}).front().memory_bytes, least);
  --wish.max_bytes;
  thrown_by<argument_error>([&] { plan_conveyor(wish, {}).clear(); });
}

// More hops where there are few items, or little memory; one hop where buffers fill anyway.
TEST(plan, has_fewer_hops_the_more_items_and_memory_there_are) {
  const auto hops = [](int nodes, std::uint64_t items, std::size_t bytes) {
    return plan_conveyor(
               {.nodes = nodes, .pes_per_node = 8, .items_per_pe = items, .max_bytes = bytes}, {})
        .front()
        .hops;
  };
  EXPECT_GT(hops(128, 100, 0), 1);
  EXPECT_GT(hops(1024, 0, 1 << 18), 1);
  EXPECT_EQ(hops(2, 0, 0), 1);
}

TEST(plan, has_no_groups_across_the_borders_of_nodes) {
  for (const planned_setting& p :
       plan_conveyor({.nodes = 12, .pes_per_node = 6, .items_per_pe = 50}, {})) {
    const int group = std::max(p.options.local_group, 1);
    EXPECT_TRUE(6 % group == 0 || group % 6 == 0) << p.way;
  }
}

// The conveyor made by the options is the planned conveyor.
TEST(plan, gives_options_that_conveyors_take) {
  const plan_request wish{.nodes = 4, .pes_per_node = 4, .items_per_pe = 100};
  const std::vector<planned_setting> all = plan_conveyor(wish, {});
  simulate({.pes = 16, .pes_per_node = 4}, [&](world& w) {
    for (std::size_t i = 0; i < all.size(); i += 7) {
      const conveyor<long> c(w, all[i].options);
      EXPECT_EQ(c.buffer_bytes(), all[i].options.buffer_bytes);
    }
  });
}

TEST(plan, does_what_a_larger_machine_needs) {
  const auto best =
      plan_conveyor({.nodes = 2048, .pes_per_node = 64, .max_bytes = std::size_t{64} << 20},
                    network_of("slingshot"))
          .front();
  EXPECT_GT(best.hops, 1);
  EXPECT_EQ(best.limit, plan_limit::adapter);
  // 25 GB/s from each node, with small losses.
  EXPECT_GT(best.injected_bytes / best.seconds, 20e9);
}

}  // namespace
}  // namespace boxcar::test::plan_test
