// Items for PEs of the other node cross the cable between the two, and items for PEs of the same
// node do not. To be run by two_nodes.sh.
#include "cable.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <vector>

#include <boxcar/conveyor.hpp>

#include "support/by_name.hpp"
#include "support/conveyor_setup.hpp"
#include "support/run_on.hpp"
#include "support/world_shape.hpp"

namespace boxcar::test::cable_test {
namespace {

constexpr std::uint64_t items = 100'000;
constexpr std::uint64_t payload_of_a_pe = items * sizeof(std::uint64_t);

// One real node is one pretended node. Items are uncompressed, so that their bytes are known; and
// there are no routes of the program, which may lead from a node to itself by another node.
std::vector<conveyor_setup> on_two_nodes() {
  std::vector<conveyor_setup> setups =
      plain_setups({{substrate_kind::cluster, cluster_pes(), 2}}, is_fixed_size);
  std::erase_if(setups, [](const conveyor_setup& setup) {
    return setup.options.compress || setup.options.local_group != 0 || setup.options.way;
  });
  return setups;
}

class across_the_cable : public testing::TestWithParam<conveyor_setup> {
 protected:
  // Returns the traffic between the nodes while every PE sends random items to random PEs of the
  // list; all items must arrive.
  static cable_count send_items(world& w, const std::vector<int>& pes) {
    conveyor<std::uint64_t> c(w, GetParam().options);
    std::mt19937_64 random(static_cast<std::uint64_t>(w.rank()));
    w.barrier();
    const cable_count before = read_cable();
    w.barrier();
    std::uint64_t arrived = 0;
    {
      const session s = c.begin();
      std::uint64_t sent = 0;
      while (c.advance(sent == items)) {
        while (sent < items && c.push(random(), pes[sent % pes.size()])) ++sent;
        for (std::uint64_t item; c.pull(item);) ++arrived;
      }
    }
    EXPECT_EQ(w.reduce(arrived), items * static_cast<std::uint64_t>(w.size()));
    const cable_count after = read_cable();
    w.barrier();
    return {after.sent - before.sent, after.received - before.received};
  }

  static std::vector<int> pes_where(const world& w, bool local) {
    std::vector<int> pes;
    for (int pe = 0; pe < w.size(); ++pe) {
      if (w.is_local(pe) == local) pes.push_back(pe);
    }
    return pes;
  }
};

TEST_P(across_the_cable, items_for_the_other_node_go) {
  run_on(GetParam().shape, [](world& w) {
    ASSERT_EQ(w.nodes(), 2);
    const cable_count crossed = send_items(w, pes_where(w, false));
    const std::uint64_t payload = payload_of_a_pe * static_cast<std::uint64_t>(w.local_size());
    EXPECT_GE(crossed.sent, payload);
    EXPECT_GE(crossed.received, payload);
  });
}

TEST_P(across_the_cable, items_for_the_same_node_do_not) {
  run_on(GetParam().shape, [](world& w) {
    ASSERT_EQ(w.nodes(), 2);
    const cable_count crossed = send_items(w, pes_where(w, true));
    // The notices of the end cross the cable.
    const std::uint64_t payload = payload_of_a_pe * static_cast<std::uint64_t>(w.local_size());
    EXPECT_LT(crossed.sent, payload / 10);
    EXPECT_LT(crossed.received, payload / 10);
  });
}

INSTANTIATE_TEST_SUITE_P(nodes, across_the_cable, testing::ValuesIn(on_two_nodes()), by_name{});

}  // namespace
}  // namespace boxcar::test::cable_test
