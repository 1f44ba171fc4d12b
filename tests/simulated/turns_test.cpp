// Tests of the order of nodes' turns: nodes run one after the other, in an order drawn from the
// seed, and the order has no effect. A message affects its receiver in a later turn only, and at
// the right time.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <vector>

#include <boxcar/boxcar.hpp>
#include <boxcar/counter.hpp>
#include <boxcar/simulate.hpp>

namespace boxcar::test::turns_test {
namespace {

using std::chrono::nanoseconds;

struct message {
  nanoseconds sent;
  nanoseconds seen;  // by the next PE, which had polled for the message since
  nanoseconds since;
  friend bool operator==(const message&, const message&) = default;
};

// Each PE computes for some time, sends to the next PE, and polls for the message of the PE before,
// again and again.
std::vector<message> messages(const simulate_options& options) {
  constexpr int rounds = 20;
  const auto pes = static_cast<std::size_t>(options.pes);
  std::vector<message> all(rounds * pes);
  simulate(options, [&](world& w) {
    const auto here = static_cast<std::size_t>(w.rank());
    std::mt19937 random(static_cast<std::uint32_t>(here) + 1);
    counter heard(w);
    for (std::size_t round = 0; round < rounds; ++round) {
      w.compute(nanoseconds(random() % 10'000));
      all[round * pes + here].sent = w.now();
      heard.add((w.rank() + 1) % w.size(), 1);
      message& mine = all[round * pes + (here + pes - 1) % pes];
      mine.since = w.now();
      while (!heard.test(static_cast<std::int64_t>(round) + 1)) static_cast<void>(w.now());
      mine.seen = w.now();
    }
  });
  return all;
}

simulated_network usual_network() {
  simulated_network network;
  network.link = {.gap_per_byte = 0.0437, .latency = 131};
  network.other_node = {.latency = 703,
                        .overhead = 151,
                        .overhead_per_byte = 0.0413,
                        .gap = 5.3,
                        .gap_per_byte = 0.0419};
  return network;
}

// A message is seen within this time, including the polls.
void expect_that_turns_change_nothing(const simulated_network& network, nanoseconds on_its_way) {
  simulate_options options{.pes = 12, .pes_per_node = 1, .network = network};
  const std::vector<message> all = messages(options);
  for (const message& one : all) {
    EXPECT_GE(one.seen, one.sent + nanoseconds(703));
    EXPECT_LE(one.seen, std::max(one.sent, one.since) + on_its_way);
  }
  for (const std::uint64_t seed : {2, 3, 4, 5}) {
    options.seed = seed;
    EXPECT_EQ(messages(options), all) << "seed " << seed;
  }
}

TEST(turns_of_nodes, change_nothing) {
  expect_that_turns_change_nothing(usual_network(), nanoseconds(1400));
}

TEST(turns_of_nodes, change_nothing_where_there_are_links) {
  simulated_network network = usual_network();
  network.topology = fat_tree{.nodes_per_switch = 4, .uplinks_per_switch = 2};
  expect_that_turns_change_nothing(network, nanoseconds(1500));
}

}  // namespace
}  // namespace boxcar::test::turns_test
