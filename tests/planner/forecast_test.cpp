// Tests of the forecast for one setting.
#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include <boxcar/conveyor.hpp>
#include <boxcar/conveyor_plan.hpp>
#include <boxcar/error.hpp>
#include <boxcar/run.hpp>
#include <boxcar/simulate.hpp>

#include "planner/trial.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::forecast_test {
namespace {

simulated_network network(const std::string& name) {
  return read_network(BOXCAR_NETWORKS + name + ".network");
}

conveyor_options tensor(int hops, int group, std::size_t buffer_bytes, int per_link) {
  return {.kind = conveyor_kind::tensor,
          .hops = hops,
          .local_group = group,
          .buffer_bytes = buffer_bytes,
          .buffers_per_link = per_link};
}

conveyor_options along(const route& way, std::size_t buffer_bytes) {
  return {.kind = conveyor_kind::tensor, .way = way, .buffer_bytes = buffer_bytes};
}

// One setting of each kind, for 8 nodes of 8 PEs.
std::vector<conveyor_options> settings() {
  return {tensor(1, 0, 256, 2),
          tensor(2, 8, 1024, 2),
          tensor(2, 16, 4096, 4),
          tensor(2, 2, 512, 2),
          tensor(2, 8, 4096, 1),  // seldom filled
          tensor(2, 8, 2048, 1),  // once or twice
          tensor(2, 8, 512, 1),   // often
          tensor(3, 4, 512, 2),
          tensor(3, 8, 2048, 4),
          along(route::grid(64, {4, 4, 4}), 1024),
          along(route::grid(64, {2, 4, 8}), 512),
          along(route::teams(64, {8, 8}), 2048),
          along(route::specialised_teams(64, {8, 8}), 2048)};
}

constexpr plan_request wish{.nodes = 8, .pes_per_node = 8, .item_bytes = 8, .items_per_pe = 3000};

// Traffic between nodes is counted, not estimated: but for the random choice of destinations.
TEST(forecast, tells_what_nodes_inject) {
  for (const conveyor_options& o : settings()) {
    const planned_setting p = forecast(wish, {}, o);
    EXPECT_NEAR(p.injected_bytes / planner::try_setting(wish, {}, o).injected_bytes, 1, 0.02)
        << p.way << ", " << o.buffer_bytes;
  }
}

// All work is done in every session, whatever is overlapped.
TEST(forecast, has_bounds_that_no_session_beats) {
  for (const std::string name : {"aries", "blue-gene-q", "ethernet-25g"}) {
    for (const conveyor_options& o : settings()) {
      const planned_setting p = forecast(wish, network(name), o);
      const double least = std::max({p.core_seconds, p.adapter_seconds, p.link_seconds});
      EXPECT_GT(planner::try_setting(wish, network(name), o).seconds, 0.98 * least)
          << name << ", " << p.way << ", " << o.buffer_bytes;
      EXPECT_GT(p.seconds, least) << name << ", " << p.way << ", " << o.buffer_bytes;
    }
  }
}

TEST(forecast, is_near_to_what_is_simulated) {
  for (const std::string name : {"aries", "blue-gene-q", "ethernet-25g"}) {
    for (const conveyor_options& o : settings()) {
      const planned_setting p = forecast(wish, network(name), o);
      // (The work of teams is spread unevenly, and the model takes the worst of each stage.)
      const double error = p.way.find("teams") == std::string::npos ? 0.35 : 0.6;
      EXPECT_NEAR(p.seconds / planner::try_setting(wish, network(name), o).seconds, 1, error)
          << name << ", " << p.way << ", " << o.buffer_bytes;
    }
  }
}

// The forecast counts as an existing conveyor does.
TEST(forecast, tells_the_memory_and_the_links) {
  for (const conveyor_options& o : settings()) {
    const planned_setting p = forecast(wish, {}, o);
    simulate({.pes = 64, .pes_per_node = 8}, [&](world& w) {
      const conveyor<long> c(w, o);
      const std::size_t bytes = c.session_statistics().memory_bytes;
      // (Buffers filled beside the buffers of a link do not count for simulated links.)
      if (w.rank() == 0) {
        EXPECT_LT(bytes, p.memory_bytes + p.memory_bytes / 10) << p.way;
        EXPECT_GT(bytes * 2, p.memory_bytes) << p.way;
        EXPECT_NE(c.explain().find(std::to_string(p.links) + " links"), std::string::npos)
            << c.explain() << p.links;
      }
    });
  }
}

TEST(forecast, says_in_code_what_it_is_for) {
  EXPECT_EQ(forecast(wish, {}, tensor(2, 8, 1024, 4)).code,
            "conveyor_options{.kind = conveyor_kind::tensor, .hops = 2, .local_group = 8, "
            ".buffer_bytes = 1024, .buffers_per_link = 4}");
  EXPECT_EQ(forecast(wish, {}, along(route::grid(64, {4, 4, 4}), 512)).code,
            "conveyor_options{.kind = conveyor_kind::tensor, .way = way, .buffer_bytes = 512, "
            ".buffers_per_link = 2}");
  EXPECT_EQ(forecast(wish, {}, {.kind = conveyor_kind::simple, .buffer_bytes = 512}).code,
            "conveyor_options{.kind = conveyor_kind::simple, .buffer_bytes = 512}");
}

TEST(forecast, refuses_what_cannot_be) {
  const auto refusal = [](const plan_request& w, const conveyor_options& o,
                          const simulated_network& n = {}) {
    return thrown_by<argument_error>([&] { static_cast<void>(forecast(w, n, o)); });
  };
  expect_mentions(refusal({.nodes = 0}, tensor(1, 0, 64, 2)), {"nodes = 0", "1 to"});
  expect_mentions(refusal({.nodes = 1 << 20, .pes_per_node = 1 << 20}, tensor(1, 0, 64, 2)),
                  {"1099511627776", "4194304"});
  expect_mentions(refusal({.item_bytes = 0}, tensor(1, 0, 64, 2)), {"item_bytes = 0", "65536"});
  expect_mentions(refusal(wish, tensor(2, 7, 64, 2)), {"7", "give one of 1, 2, 4"});
  expect_mentions(refusal(wish, tensor(2, 8, 64, 3)), {"buffers_per_link is 3"});
  expect_mentions(refusal(wish, tensor(2, 8, 0, 2)), {"buffer_bytes"});
  expect_mentions(refusal(wish, {.buffer_bytes = 64}), {"hops"});
  expect_mentions(refusal(wish, tensor(2, 8, 64, 2), {.topology = torus{.sizes = {2, 2}}}),
                  {"4 places for 8 nodes", "give larger"});
  expect_mentions(refusal(wish, tensor(2, 8, 64, 2), {.other_node = {.latency = -1}}),
                  {"-1", "give 0 to 1e12"});
}

}  // namespace
}  // namespace boxcar::test::forecast_test
