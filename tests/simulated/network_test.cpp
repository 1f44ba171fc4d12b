// Tests of messages on simulated networks: their times follow from the network's parameters, and
// messages share links.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>
#include <utility>
#include <variant>
#include <vector>

#include <boxcar/boxcar.hpp>
#include <boxcar/error.hpp>
#include <boxcar/simulate.hpp>

#include "substrate/simulated/network_links.hpp"
#include "substrate/simulated/network_model.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::network_test {
namespace {

using detail::moment;

constexpr moment ns = 1000;

TEST(network_model, serialises_what_one_adapter_sends_and_receives) {
  detail::network_model m({.same_node = {.latency = 5, .overhead = 2},
                           .other_node = {.latency = 1000,
                                          .overhead = 10,
                                          .overhead_per_byte = 0.5,
                                          .gap = 20,
                                          .gap_per_byte = 2}},
                          3);
  EXPECT_EQ(m.core_time(0), 10 * ns);
  EXPECT_EQ(m.core_time(1), 10 * ns);
  EXPECT_EQ(m.core_time(101), 60 * ns);
  // Two messages at once from node 0: the second waits for gap + 100 * gap_per_byte.
  EXPECT_FALSE(m.has_links());
  const auto leave = [&m](int from, int to, std::size_t bytes, moment now) {
    const moment begin = m.enter(from, bytes, now);
    return m.reach({.from = from, .to = to, .bytes = bytes, .head = begin, .tail = begin});
  };
  EXPECT_EQ(leave(0, 1, 101, 0), 1000 * ns);
  EXPECT_EQ(leave(0, 2, 101, 0), 1220 * ns);
  EXPECT_EQ(leave(1, 2, 101, 0), 1000 * ns);
  EXPECT_EQ(leave(0, 1, 1, 5000 * ns), 6000 * ns);
  // Two messages arrive at node 2 at once.
  EXPECT_EQ(m.arrive(2, 101, 1000 * ns), 1200 * ns);
  EXPECT_EQ(m.arrive(2, 101, 1000 * ns), 1420 * ns);
  EXPECT_EQ(m.arrive(1, 0, 1000 * ns), 1000 * ns);
}

TEST(network_model, counts_items_bytes_and_misses) {
  using work = detail::packet_work;
  simulated_network n;
  n.core = {.push = 4, .pivot = 3, .pull = 2, .byte = 0.5, .miss = 10, .cache_bytes = 1000};
  const detail::network_model m(n, 1);
  EXPECT_EQ(m.time_for({work::kind::pushed, 80, 8, 1000}), (10 * 4 + 40) * ns);
  EXPECT_EQ(m.time_for({work::kind::pivoted, 80, 8, 0}), (10 * 3 + 40) * ns);
  EXPECT_EQ(m.time_for({work::kind::pulled, 80, 8, 5000}), (10 * 2 + 40) * ns);
  EXPECT_EQ(m.time_for({work::kind::pushed, 80, 8, 4000}), (10 * 4 + 40 + 75) * ns);
  EXPECT_EQ(m.time_for({work::kind::pushed, 80, 0, 0}), (4 + 40) * ns);  // one array
  EXPECT_EQ(m.time_for({work::kind::pushed, 0, 8, 0}), 0);
}

TEST(network, charges_items_for_what_is_done_with_them) {
  const auto time = [](core_costs core, int hops) {
    simulated_network n{.same_node = {}, .other_node = {}};
    n.core = core;
    return simulate({.pes = 8, .network = n},
                    [hops](world& w) {
                      conveyor<int> c(w, {.hops = hops, .buffer_bytes = 400});
                      const session s = c.begin();
                      int left = 10'000;
                      while (c.advance(left == 0) != advance_result::done) {
                        while (left != 0 && c.push(left, (w.rank() + left) % w.size())) --left;
                        for (int item = 0; c.pull(item);) continue;
                      }
                      c.reset();
                    })
        .time;
  };
  const auto extra = [&](core_costs core, int hops) {
    const core_costs none{.push = 0, .pivot = 0, .pull = 0, .byte = 0, .miss = 0};
    return std::chrono::duration<double, std::micro>(time(core, hops) - time(none, hops)).count();
  };
  // A microsecond for each of 10,000 items: no other cost has that magnitude.
  const core_costs push{.push = 1000, .pivot = 0, .pull = 0, .byte = 0, .miss = 0};
  const core_costs pivot{.push = 0, .pivot = 1000, .pull = 0, .byte = 0, .miss = 0};
  const core_costs pull{.push = 0, .pivot = 0, .pull = 1000, .byte = 0, .miss = 0};
  EXPECT_NEAR(extra(push, 1), 10'000, 2'000);
  EXPECT_EQ(extra(pivot, 1), 0);
  for (const int hops : {1, 2, 3}) EXPECT_NEAR(extra(pull, hops), 10'000, 2'000) << hops;
  // Items need not take all hops: items that need no first hop are pushed into the next hop.
  for (const int hops : {2, 3}) {
    EXPECT_GT(extra(push, hops), 4'000) << hops;
    EXPECT_LT(extra(push, hops), 10'000) << hops;
  }
  EXPECT_GT(extra(pivot, 2), 3'000);
  EXPECT_GT(extra(pivot, 3), extra(pivot, 2));
}

TEST(network_model, takes_longer_to_other_groups) {
  simulated_network groups;
  groups.other_node = {.latency = 1000};
  groups.other_group_latency = 500;
  groups.nodes_per_group = 4;
  detail::network_model m(groups, 9);
  EXPECT_EQ(m.reach({.from = 0, .to = 3}), 1000 * ns);
  EXPECT_EQ(m.reach({.from = 3, .to = 4}), 1500 * ns);
  EXPECT_EQ(m.reach({.from = 8, .to = 0}), 1500 * ns);
}

class links {
 public:
  links(const simulated_network& n, int nodes) : all_(detail::make_network_links(n, nodes, 1)) {}
  // The time at which a message of `bytes` bytes, sent at 0, reaches the end of the path, with no
  // other traffic.
  detail::passage pass(int from, int to, std::size_t bytes = 0) {
    detail::passage p{.from = from, .to = to, .bytes = bytes};
    while (all_->move_on(p)) continue;
    return p;
  }
  moment head(int from, int to) { return pass(from, to).head; }
  moment tail(int from, int to, std::size_t bytes) { return pass(from, to, bytes).tail; }

 private:
  std::unique_ptr<detail::network_links> all_;
};

// Messages with their start times and arrival times; each message takes a link on arrival at the
// link.
struct sent {
  detail::passage on;
  moment reached = -1;
};
void pass_all(const simulated_network& n, int nodes, std::vector<sent>& all) {
  detail::network_model m(n, nodes);
  std::vector<bool> is_in(all.size());
  for (;;) {
    sent* next = nullptr;
    for (sent& one : all) {
      if (one.reached < 0 && (next == nullptr || one.on.head < next->on.head)) next = &one;
    }
    if (next == nullptr) return;
    const auto which = static_cast<std::size_t>(next - all.data());
    if (!is_in[which]) {
      is_in[which] = true;
      next->on.head = next->on.tail = m.enter(next->on.from, next->on.bytes, next->on.head);
    } else if (!m.move_on(next->on)) {
      next->reached = m.reach(next->on);
    }
  }
}

template <typename Topology>
simulated_network network_of(const Topology& t) {
  simulated_network n;
  n.topology = t;
  n.link = {.gap_per_byte = 1, .latency = 10};
  return n;
}

// Links need longer for a byte than adapters: messages behind them have to wait.
TEST(network_links, make_what_they_carry_wait_as_long_as_the_slowest_takes) {
  simulated_network narrow;
  narrow.other_node = {.latency = 1000, .gap_per_byte = 1};
  narrow.topology = torus{.dimensions = 1, .sizes = {8}};
  narrow.link = {.gap_per_byte = 3, .latency = 10};
  std::vector<sent> one{{{.from = 0, .to = 2, .bytes = 100}}};
  pass_all(narrow, 8, one);
  // Two links; the last byte has passed the second link after 10 + 300 + 10, and the adapter takes
  // 99.
  EXPECT_EQ(one[0].reached, (1000 + 320 - 99) * ns);
}

// A node with a busy adapter delays no other node, nor do messages that wait for another link.
TEST(network_links, that_are_free_can_be_used) {
  simulated_network tree = network_of(fat_tree{.nodes_per_switch = 2, .uplinks_per_switch = 4});
  tree.other_node = {.latency = 100, .gap_per_byte = 1};
  std::vector<sent> all;
  for (int i = 0; i < 50; ++i) all.push_back({{.from = 0, .to = 2, .bytes = 1000}});
  all.push_back({{.from = 1, .to = 2, .bytes = 1, .head = 500 * ns}});
  pass_all(tree, 4, all);
  EXPECT_GE(all[49].reached, 49 * 999 * ns);
  EXPECT_LT(all[50].reached, (500 + 20 + 250 + 100 + 10) * ns);

  const simulated_network ring = network_of(torus{.dimensions = 1, .sizes = {16}});
  std::vector<sent> along;
  for (int i = 0; i < 20; ++i) along.push_back({{.from = i % 2, .to = 4, .bytes = 1000}});
  along.push_back({{.from = 3, .to = 4, .bytes = 1}});
  pass_all(ring, 16, along);
  EXPECT_LT(along[20].reached, 2000 * ns);
}

// A buffer that goes by way of a third group does not overtake the buffers before it.
TEST(network_links, keep_the_order_from_node_to_node) {
  simulated_network n = network_of(dragonfly{.nodes_per_router = 1,
                                             .routers_per_group = 4,
                                             .local_links_per_router = 4,
                                             .global_links_per_group = 2});
  n.other_node = {.latency = 1000, .gap_per_byte = 0.1};
  std::vector<sent> all;
  for (int i = 0; i < 600; ++i) {
    all.push_back({{.from = i % 4,
                    .to = 4 + i % 3,
                    .bytes = i % 5 == 0 ? std::size_t{4000} : std::size_t{200},
                    .head = i * 100 * ns}});
  }
  pass_all(n, 20, all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i + 12; j < all.size(); j += 12) {  // from and to the same
      ASSERT_LE(all[i].reached, all[j].reached) << i << ' ' << j;
    }
  }
}

TEST(network_links, of_a_torus_go_the_shorter_way_round) {
  const simulated_network n = network_of(torus{.dimensions = 3, .sizes = {4, 5, 6}});
  const int nodes = 4 * 5 * 6;
  const auto distance = [](int a, int b, int size) {
    return std::min((a - b + size) % size, (b - a + size) % size);
  };
  for (int from = 0; from < nodes; from += 7) {
    for (int to = 0; to < nodes; ++to) {
      const int hops = distance(from % 4, to % 4, 4) + distance(from / 4 % 5, to / 4 % 5, 5) +
                       distance(from / 20, to / 20, 6);
      EXPECT_EQ(links(n, nodes).head(from, to), hops * 10 * ns) << from << " to " << to;
    }
  }
}

TEST(network_links, of_a_torus_are_shared_by_those_whose_paths_cross) {
  const simulated_network n = network_of(torus{.dimensions = 2, .sizes = {4, 4}});
  links all(n, 16);
  EXPECT_EQ(all.tail(0, 1, 100), 110 * ns);
  EXPECT_EQ(all.tail(0, 1, 100), 210 * ns);  // behind the first
  EXPECT_EQ(all.tail(1, 0, 100), 110 * ns);  // the other direction
  EXPECT_EQ(all.tail(4, 5, 100), 110 * ns);  // elsewhere
  EXPECT_EQ(all.tail(0, 4, 100), 110 * ns);  // the other dimension
  EXPECT_EQ(all.head(0, 2), 220 * ns);       // behind both, by way of 1
}

TEST(network_links, of_a_torus_find_sizes_with_room_for_all) {
  for (const int nodes : {1, 2, 7, 100, 4097}) {
    for (const int dimensions : {1, 3, 5}) {
      links all(network_of(torus{.dimensions = dimensions}), nodes);
      EXPECT_GE(all.head(0, nodes - 1), 0);
      EXPECT_GE(all.head(nodes - 1, nodes / 2), 0);
    }
  }
}

// A partition of a machine has a node in each place, and so has a torus if the nodes factor well.
TEST(network_links, of_a_torus_find_sizes_that_fit) {
  int farthest = 0;
  links all(network_of(torus{.dimensions = 4}), 64);  // 4 x 4 x 2 x 2
  for (int to = 0; to < 64; ++to) {
    farthest = std::max(farthest, static_cast<int>(all.head(0, to) / (10 * ns)));
  }
  EXPECT_EQ(farthest, 2 + 2 + 1 + 1);
}

TEST(network_links, of_a_fat_tree_carry_together_what_leads_up) {
  // 4 nodes to a switch, 2 switches to a group; 2 links up from a switch, 1 from a group.
  const simulated_network n = network_of(fat_tree{.nodes_per_switch = 4,
                                                  .uplinks_per_switch = 2,
                                                  .switches_per_group = 2,
                                                  .uplinks_per_group = 1});
  links all(n, 16);
  EXPECT_EQ(all.tail(0, 3, 100), 0);          // same switch
  EXPECT_EQ(all.tail(0, 4, 100), 70 * ns);    // up and down
  EXPECT_EQ(all.tail(1, 5, 100), 120 * ns);   // behind the first, on the same links
  EXPECT_EQ(all.tail(8, 12, 100), 70 * ns);   // another group
  EXPECT_EQ(all.head(4, 0), 20 * ns);         // the other direction
  EXPECT_EQ(all.tail(12, 0, 100), 140 * ns);  // by way of the groups
  // The default is as many links as the switches of a group have.
  links equal(
      network_of(fat_tree{.nodes_per_switch = 4, .uplinks_per_switch = 2, .switches_per_group = 2}),
      16);
  EXPECT_EQ(equal.tail(0, 15, 100), 90 * ns);
}

TEST(network_links, of_a_dragonfly_lead_from_group_to_group) {
  // 2 nodes to a router, 2 routers to a group, 3 groups: 2 links out of each group, one to each
  // other group.
  const dragonfly d{.nodes_per_router = 2,
                    .routers_per_group = 2,
                    .local_links_per_router = 1,
                    .global_links_per_group = 2,
                    .adaptive = false};
  links all(network_of(d), 12);
  EXPECT_EQ(all.head(0, 1), 0);
  EXPECT_EQ(all.head(0, 2), 20 * ns);
  EXPECT_EQ(all.head(0, 4), 30 * ns);
  EXPECT_EQ(all.tail(4, 8, 100), 130 * ns);
  EXPECT_EQ(all.tail(6, 10, 100), 230 * ns);  // between the same groups, from and to other routers
}

TEST(network_links, of_a_dragonfly_avoid_what_is_busy) {
  dragonfly d{.nodes_per_router = 1,
              .routers_per_group = 8,
              .local_links_per_router = 1000,
              .global_links_per_group = 3};
  const auto last = [&](bool adaptive) {
    d.adaptive = adaptive;
    std::vector<sent> all;
    for (int i = 0; i < 8 * 40; ++i) {
      all.push_back({{.from = i % 8, .to = 8 + i / 8 % 8, .bytes = 1000}});
    }
    simulated_network n = network_of(d);
    n.other_node = {};
    pass_all(n, 32, all);
    moment end = 0;
    for (const sent& one : all) end = std::max(end, one.reached);
    return end;
  };
  EXPECT_GE(last(false), 320 * 1000 * ns);
  EXPECT_LT(last(true), 320 * 1000 * ns * 2 / 3);
}

TEST(network, carries_everything_whatever_its_topology) {
  for (const simulated_network& n :
       {network_of(torus{.dimensions = 2}),
        network_of(dragonfly{.nodes_per_router = 2,
        .routers_per_group = 2,
        .local_links_per_router = 2,
        .global_links_per_group = 2}),
        network_of(fat_tree{.nodes_per_switch = 2, .uplinks_per_switch = 1})}) {
    int arrived = 0;
    simulate({.pes = 24, .pes_per_node = 2, .network = n}, [&](world& w) {
      exchange<int>(
          w,
          [&](auto& out) {
            for (int pe = 0; pe < w.size(); ++pe) out.push(pe, pe);
          },
          [&](int to) { arrived += to == w.rank() ? 1 : 1000; });
    });
    EXPECT_EQ(arrived, 24 * 24);
  }
}

TEST(network, refuses_topologies_that_cannot_be) {
  const auto refusal = [](const simulated_network& n) {
    return thrown_by<argument_error>(
        [&] { simulate({.pes = 30, .pes_per_node = 1, .network = n}, [](world&) { FAIL(); }); });
  };
  expect_mentions(refusal(network_of(torus{.sizes = {2, 3}})),
                  {"2 x 3", "6 places for 30 nodes", "torus.dimensions"});
  expect_mentions(refusal(network_of(torus{.sizes = {50000, 50000}})), {"too many nodes"});
  expect_mentions(refusal(network_of(torus{.sizes = {5, 0, 6}})), {"torus.sizes is 0"});
  expect_mentions(refusal(network_of(torus{.dimensions = 9})), {"torus.dimensions is 9", "1 to 8"});
  expect_mentions(refusal(network_of(fat_tree{.nodes_per_switch = 0})),
                  {"fat_tree.nodes_per_switch is 0"});
  expect_mentions(refusal(network_of(dragonfly{.global_links_per_group = -1})),
                  {"dragonfly.global_links_per_group is -1"});
  expect_mentions(refusal(network_of(dragonfly{.routers_per_group = 2147483647})),
                  {"dragonfly.routers_per_group is 2147483647"});
  expect_mentions(thrown_by<argument_error>(
                      [] { detail::make_network_links(network_of(dragonfly{}), 50'000, 1); }),
                  {"50000 groups of 1 x 1 nodes", "larger groups"});
  simulated_network n = network_of(torus{});
  n.link.latency = -2;
  expect_mentions(refusal(n), {"link.latency is -2"});
}

// --- Files
// ----------------------------------------------------------------------------------------

class network_file : public testing::Test {
 protected:
  ~network_file() override { std::remove(path_.c_str()); }
  simulated_network read(const std::string& text) {
    std::ofstream(path_) << text;
    return read_network(path_);
  }
  std::string refusal(const std::string& text) {
    return thrown_by<argument_error>([&] { read(text); });
  }

 private:
  std::string path_ = testing::TempDir() + "network_" + std::to_string(getpid());
};

TEST_F(network_file, says_what_the_members_are) {
  const simulated_network n = read(
      "# a network\n\n"
      "same_node.latency = 90\n"
      "  other_node.gap_per_byte=0.25 # 4 GB/s\r\n"
      "core.push = 1e3\n"
      "cores_per_node = 4\n"
      "offload = true\n"
      "topology = \"torus\"\n"
      "torus.sizes = [ 4, 2 ,3]\n"
      "link.latency = 7");
  EXPECT_EQ(n.same_node.latency, 90);
  EXPECT_EQ(n.same_node.overhead, network_level::of_memory().overhead);
  EXPECT_EQ(n.other_node.gap_per_byte, 0.25);
  EXPECT_EQ(n.cores_per_node, 4);
  EXPECT_TRUE(n.offload);
  EXPECT_EQ(n.core.push, 1000);
  EXPECT_EQ(std::get<torus>(n.topology).sizes, (std::vector<int>{4, 2, 3}));
  EXPECT_EQ(n.link.latency, 7);
  const simulated_network fly = read(
      "topology = \"dragonfly\"\ndragonfly.routers_per_group = 96\ndragonfly.adaptive = false\n");
  EXPECT_EQ(std::get<dragonfly>(fly.topology).routers_per_group, 96);
  EXPECT_FALSE(std::get<dragonfly>(fly.topology).adaptive);
  EXPECT_EQ(read("").topology.index(), 0u);
}

TEST_F(network_file, refuses_what_means_nothing) {
  expect_mentions(refusal("\nother_node.latensy = 3\n"),
                  {"line 2: there is no \"other_node.latensy\"", "other_node.latency"});
  expect_mentions(refusal("link.latency\n"), {"line 1: \"link.latency\"", "key = value"});
  expect_mentions(refusal("other_node.latency = fast\n"),
                  {"line 1: other_node.latency = fast", "nanoseconds"});
  expect_mentions(refusal("other_node.gap = -1\n"), {"other_node.gap = -1", "0 or more"});
  expect_mentions(refusal("other_node.gap = 1\n\nother_node.gap = 2\n"), {"line 3", "on line 1"});
  expect_mentions(refusal("core.cache_bytes = -5\n"), {"core.cache_bytes = -5", "bytes"});
  expect_mentions(refusal("cores_per_node = -1\n"), {"cores_per_node = -1", "0 or more"});
  expect_mentions(refusal("offload = maybe\n"), {"offload = maybe", "true or false"});
  expect_mentions(refusal("topology = \"ring\"\n"), {"\"ring\"", "\"torus\""});
  expect_mentions(refusal("topology = \"torus\"\ntorus.sizes = 8\n"), {"line 2", "[8, 8, 16]"});
  expect_mentions(refusal("topology = \"torus\"\ntorus.sizes = [8, x]\n"), {"[8, 8, 16]"});
  expect_mentions(refusal("torus.sizes = [8]\n"),
                  {"line 1: torus.sizes", "without topology = \"torus\""});
  expect_mentions(refusal("link.latency = 1\n"), {"line 1: link.latency", "topology"});
  expect_mentions(refusal("topology = \"torus\"\ntorus.sizes = [8, 8]\ntorus.dimensions = 5\n"),
                  {"line 3: torus.dimensions", "torus.sizes"});
  expect_mentions(refusal("topology = \"torus\"\nnodes_per_group = 5\n"),
                  {"line 2: nodes_per_group", "topology"});
  expect_mentions(refusal("other_group_latency = 5\ntopology = \"torus\"\n"),
                  {"line 1: other_group_latency", "no groups"});
  expect_mentions(refusal("topology = \"fat tree\"\nfat_tree.nodes_per_switch = 0\n"),
                  {"line 2", "1 or more"});
  expect_mentions(refusal("topology = \"dragonfly\"\ndragonfly.adaptive = yes\n"),
                  {"true or false"});
  expect_mentions(thrown_by<system_error>([] { read_network("/nowhere/a.network"); }),
                  {"/nowhere/a.network"});
  expect_mentions(thrown_by<system_error>([] { read_network("/"); }), {"/"});
}

TEST(network_files, that_come_with_boxcar_can_be_used) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(BOXCAR_NETWORKS)) {
    if (entry.path().extension() != ".network") continue;
    ++files;
    int arrived = 0;
    simulate({.pes = 64, .pes_per_node = 2, .network = read_network(entry.path().string())},
             [&](world& w) {
               exchange<int>(
                   w, [&](auto& out) { out.push(1, (w.rank() + 17) % w.size()); },
                   [&](int item) { arrived += item; });
             });
    EXPECT_EQ(arrived, 64) << entry.path();
  }
  EXPECT_GE(files, 7);
}

}  // namespace
}  // namespace boxcar::test::network_test
