// Tests of the memory of conveyors against their statistics, and against the formula.
#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

#include <boxcar/biconveyor.hpp>
#include <boxcar/conveyor.hpp>
#include <boxcar/elastic_conveyor.hpp>

#include "memory/allocation_meter.hpp"
#include "memory/expected_memory.hpp"
#include "route/tagged_route.hpp"
#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/tier_cases.hpp"

namespace boxcar::test::held_memory_test {
namespace {

struct held_memory_case {
  world_shape shape;
  int hops;
  int buffers_per_link;
};

std::string name_of(const held_memory_case& c) {
  return name_of(c.shape) + "_h" + std::to_string(c.hops) + "_x" +
         std::to_string(c.buffers_per_link);
}

void PrintTo(const held_memory_case& c, std::ostream* out) {
  *out << name_of(c);
}

std::vector<held_memory_case> cases() {
  std::vector<held_memory_case> all;
  for (const auto& [pes, nodes] : std::vector<std::pair<int, int>>{
           {1, 1}, {2, 1}, {2, 2}, {8, 1}, {8, 2}, {17, 1}, {64, 1}, {64, 2}, {64, 8}}) {
    for (const int hops : {1, 2, 3}) {
      for (const int buffers_per_link : {1, 2, 4}) {
        all.push_back({{substrate_kind::threads, pes, nodes}, hops, buffers_per_link});
      }
    }
  }
  return tier_cases(
      std::move(all), [](const auto& c) { return c.hops; },
      [](const auto& c) { return c.buffers_per_link; });
}

class held_memory : public testing::TestWithParam<held_memory_case> {
 protected:
  static constexpr std::size_t buffer_bytes = 1024;

  static world_shape shape() { return GetParam().shape; }
  // The size of a group: a node, if there are several.
  static int group() { return GetParam().hops == 1 ? 0 : shape().pes / shape().nodes; }
  static conveyor_options options() {
    return {.hops = GetParam().hops,
            .local_group = group(),
            .buffer_bytes = buffer_bytes,
            .buffers_per_link = GetParam().buffers_per_link};
  }

  // The maximum over all PEs.
  static link_counts links(const world& w) {
    const auto path = detail::tagged_route::with_hops(GetParam().hops, w.size(), group());
    link_counts most;
    for (int pe = 0; pe < w.size(); ++pe) {
      link_counts counted;
      for (int hop = 0; hop < path.hops(); ++hop) {
        for (const int peer : path.peers(hop, pe)) {
          ++(w.node_of(peer) == w.node_of(pe) ? counted.local : counted.remote);
        }
      }
      most = {std::max(most.local, counted.local), std::max(most.remote, counted.remote)};
    }
    return most;
  }

  static void check(world& w, std::int64_t measured, std::size_t said) {
    const std::int64_t said_per_pe =
        static_cast<std::int64_t>(w.reduce(said)) / static_cast<std::int64_t>(w.size());
    EXPECT_LE(said_per_pe, measured);
    // Beside the counted memory a conveyor has some objects of fixed size.
    EXPECT_GE(said_per_pe, measured - 1536 - 1024 * GetParam().hops);
    EXPECT_LE(measured, most_memory(links(w), static_cast<std::size_t>(GetParam().buffers_per_link),
                                    buffer_bytes));
  }
};

TEST_P(held_memory, of_a_conveyor_is_what_the_formula_says) {
  run_on(shape(), [](world& w) {
    const allocation_meter meter(w);
    const conveyor<long> c(w, options());
    check(w, meter.held_per_pe(), c.session_statistics().memory_bytes);
  });
}

TEST_P(held_memory, of_an_elastic_conveyor_is_what_the_formula_says) {
  run_on(shape(), [](world& w) {
    const allocation_meter meter(w);
    const elastic_conveyor c(w, std::size_t{1} << 30, options());
    check(w, meter.held_per_pe(), c.session_statistics().memory_bytes);
  });
}

// A biconveyor is two conveyors, with queues that count as memory of the conveyor for replies.
TEST_P(held_memory, of_a_biconveyor_is_all_counted) {
  run_on(shape(), [](world& w) {
    const allocation_meter meter(w);
    biconveyor<long, int> c(w, options());
    const session s = c.begin([](long n) { return static_cast<int>(n); });
    int left = 1000;
    while (c.advance(left == 0) == advance_result::ok) {
      while (left > 0 && c.push(left, left % w.size())) --left;
    }
    const std::int64_t measured = meter.held_per_pe();
    const auto said = static_cast<std::int64_t>(w.reduce(c.query_statistics().memory_bytes +
                                                         c.reply_statistics().memory_bytes)) /
                      w.size();
    EXPECT_LE(said, measured);
    EXPECT_GE(said, measured - 2 * (1536 + 1024 * GetParam().hops));
    int reply = 0;
    while (c.advance(true)) {
      while (c.pull(reply)) {
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(memory, held_memory, testing::ValuesIn(cases()), by_name{});

}  // namespace
}  // namespace boxcar::test::held_memory_test
