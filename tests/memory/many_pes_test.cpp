// Very many PEs: with three hops memory stays small.
#include <gtest/gtest.h>
#include <string>

#include <boxcar/conveyor.hpp>
#include <boxcar/elastic_conveyor.hpp>

#include "memory/allocation_meter.hpp"
#include "memory/expected_memory.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::many_pes_test {
namespace {

constexpr int group = 8;
constexpr int pes = group * group * group;
constexpr std::size_t buffer_bytes = 2048;
constexpr std::size_t buffers_per_link = 2;

// Every PE sends an item to a few others, and every item arrives.
void exchange_some(conveyor<int>& c, world& w) {
  constexpr int items = 3;
  const session s = c.begin();
  int left = items;
  int arrived = 0;
  int item = 0;
  int from = 0;
  while (c.advance(left == 0)) {
    while (left > 0 && c.push(w.rank(), (w.rank() + 75 * left) % pes)) --left;
    while (c.pull(item, from)) {
      EXPECT_EQ(item, from);
      ++arrived;
    }
  }
  EXPECT_EQ(arrived, items);
}

void check_conveyor(world& w, link_counts links) {
  const allocation_meter meter(w);
  conveyor<int> c(w, {.hops = 3, .local_group = group, .buffer_bytes = buffer_bytes});
  const std::int64_t held = meter.held_per_pe();
  EXPECT_LE(held, most_memory(links, buffers_per_link, buffer_bytes));
  EXPECT_GE(held, static_cast<std::int64_t>(3 * group * buffers_per_link * buffer_bytes));
  if (w.rank() == 0) expect_mentions(c.explain(), {"512 PEs in groups of 8", "24 links"});

  exchange_some(c, w);
  EXPECT_LT(meter.held_per_pe() - held, 256) << "a session leaves something behind";
  EXPECT_LE(c.session_statistics().memory_bytes, static_cast<std::size_t>(held));
}

TEST(many_pes, of_one_node_hold_three_times_the_cube_root_of_links) {
  run_on({substrate_kind::threads, pes, 1},
         [](world& w) { check_conveyor(w, {.local = 3 * group}); });
}

TEST(many_pes, of_many_nodes_hold_three_times_the_cube_root_of_links) {
  run_on({substrate_kind::threads, pes, pes / group}, [](world& w) {
    // One of the links of the second hop may lead to the PE itself.
    check_conveyor(w, {.local = 2 * group, .remote = group});
  });
}

// With so many PEs first steps are computed, not looked up; in groups of 32, tags have two bytes on
// the second of three hops.
TEST(many_pes, reach_each_other) {
  for (const int hops : {2, 3}) {
    run_on({substrate_kind::threads, pes, 1}, [hops](world& w) {
      conveyor<int> c(w, {.hops = hops, .local_group = 32, .buffer_bytes = 256});
      exchange_some(c, w);
    });
  }
}

TEST(many_pes, reach_each_other_by_elastic_conveyors) {
  for (const int hops : {2, 3}) {
    run_on({substrate_kind::threads, pes, 1}, [hops](world& w) {
      elastic_conveyor c(w, 64, {.hops = hops, .local_group = group, .buffer_bytes = 256});
      const session s = c.begin();
      int left = 3;
      int arrived = 0;
      while (c.advance(left == 0)) {
        while (left > 0 && c.push(std::to_string(w.rank()), (w.rank() + 75 * left) % pes)) --left;
        while (const auto item = c.pull()) {
          EXPECT_EQ(item->text(), std::to_string(item->from));
          ++arrived;
        }
      }
      EXPECT_EQ(arrived, 3);
    });
  }
}

}  // namespace
}  // namespace boxcar::test::many_pes_test
