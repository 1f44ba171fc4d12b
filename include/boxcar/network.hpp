// Networks of simulated machines: what it costs to send something, and which links it passes; and
// what items cost the cores.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <string>
#include <variant>
#include <vector>

namespace boxcar {

// What it costs to send a buffer of `s` bytes, in nanoseconds: the model LogGP, with a cost per
// byte of the cores as well (LogGOPSim). The sender's core is busy for overhead + (s - 1) *
// overhead_per_byte, its adapter for gap + (s - 1) * gap_per_byte; the first byte arrives `latency`
// after it has left; the adapter and the core of the receiver are busy for as long again. No number
// may be negative.
struct network_level {
  double latency = 0;
  double overhead = 0;
  double overhead_per_byte = 0;
  double gap = 0;
  double gap_per_byte = 0;

  // A latency of 200 ns, and an overhead of 50.
  static constexpr network_level of_memory() { return {.latency = 200, .overhead = 50}; }
  // An adapter of 100 Gb/s: a latency of 1500 ns, an overhead of 300 and 0.1 per byte, a gap of 50
  // and 0.08 per byte.
  static constexpr network_level of_adapter() {
    return {.latency = 1500,
            .overhead = 300,
            .overhead_per_byte = 0.1,
            .gap = 50,
            .gap_per_byte = 0.08};
  }
};

// A link between switches, or between nodes that are switches themselves, in one direction: in
// nanoseconds per byte, and from its begin to its end, which comes in addition to the latency
// between nodes.
struct network_link {
  double gap_per_byte = 0.08;
  double latency = 100;
};

// Nodes are connected to switches, those to one another by further levels of switches. The links
// that lead up from a switch, or from a group of switches, carry what they can together, whichever
// each buffer takes; so do those that lead down.
struct fat_tree {
  int nodes_per_switch = 1;
  int uplinks_per_switch = 1;
  int switches_per_group = 0;  // 0: all are in one group
  int uplinks_per_group = 0;   // 0: as many as its switches have
};

// Groups of routers, every router connected to every other one of its group, every group to every
// other one: Kim, Dally, Scott and Abts, 2008. The links of a router to its group carry what they
// can together; so do the links between two groups, which are the links of a group that lead out,
// shared equally between the other groups.
struct dragonfly {
  int nodes_per_router = 1;
  int routers_per_group = 1;
  int local_links_per_router = 1;
  int global_links_per_group = 1;
  // A buffer goes by way of a third group if the links between the two are so much busier that it
  // arrives earlier (UGAL); the third one is drawn.
  bool adaptive = true;
};

// Every node is connected to its neighbours along each dimension, in a ring. A buffer takes one
// dimension after the other, each the shorter way round.
struct torus {
  int dimensions = 3;
  std::vector<int> sizes = {};  // empty: about equal, so that all nodes have a place
};

// What items cost the core of a PE, in nanoseconds. What the program does with each is its own:
// `push` and `pull` can be raised by that.
struct core_costs {
  // Of each item, or array of items: put into a buffer of the first hop, moved from buffer to
  // buffer on the way (or put into one of a later hop, by who need not use the first), taken out of
  // one of the last. The usual values are the instructions that these take (18.5, 12 and 7.5, on
  // routes of several hops), three to a cycle of 3 GHz.
  double push = 2;
  double pivot = 1.4;
  double pull = 0.8;
  // Of each byte of an item and what travels with it, each time.
  double byte = 0.03;
  // In addition, of each item that is put into a buffer, as far as the buffers that a PE fills by
  // turns do not fit in so much cache.
  double miss = 5;
  double cache_bytes = 1 << 20;
  // Of a PE that gets a core, where PEs share them: after it has waited, or another one has had it.
  double change = 0;
};

struct simulated_network {
  // Through memory: what a PE of the node has stored is seen by the one that waits for it after the
  // latency, and cost its own core the overhead. (The other costs are not made use of.)
  network_level same_node = network_level::of_memory();
  // The PEs of a node share one adapter each way, which takes one buffer after the other.
  network_level other_node = network_level::of_adapter();
  // Added to the latency between nodes of different groups: those of the topology, or of so many
  // nodes (0: there is one group).
  double other_group_latency = 0;
  int nodes_per_group = 0;
  // Between the adapters; `std::monostate`: anything that is sent passes at once.
  std::variant<std::monostate, fat_tree, dragonfly, torus> topology{};
  network_link link{};
  core_costs core{};
  // That the PEs of a node share: a PE keeps one until it waits, or has had it for 3 ms while
  // others want one; these get it in the order in which they have come. 0: one for each PE.
  int cores_per_node = 0;
  // Whether adapters carry out by themselves what schedules, collectives and windows want done when
  // something arrives, also while the PE computes (offloaded-collectives-2013). If not, a PE does
  // it when it is in a function of Boxcar again.
  bool offload = false;
};

// Reads a network from a file; local. A line is `key = value` with the names of the members above,
// as in `other_node.latency = 1500` or `torus.sizes = [8, 8, 16]`; `#` begins a comment. What the
// file does not say is as above. Throws argument_error that names the line and the key, and what is
// allowed; system_error if the file cannot be read. In the library `boxcar::simulated`.
simulated_network read_network(const std::string& path);

}  // namespace boxcar
