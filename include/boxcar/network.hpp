// The header describes networks of simulated machines: the cost of a transfer, the links that a
// transfer passes, and the cost of items for the cores.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <string>
#include <variant>
#include <vector>

namespace boxcar {

// The cost of sending a buffer of `s` bytes, in nanoseconds: the model LogGP, with a cost per byte
// of the cores as well (LogGOPSim). The sender's core is busy for overhead + (s - 1) *
// overhead_per_byte, its adapter for gap + (s - 1) * gap_per_byte; the first byte arrives `latency`
// after leaving; the adapter and the core of the receiver are busy for as long again. No number may
// be negative.
struct network_level {
  double latency = 0;
  double overhead = 0;
  double overhead_per_byte = 0;
  double gap = 0;
  double gap_per_byte = 0;

  // Returns the level of memory: a latency of 200 ns, and an overhead of 50.
  static constexpr network_level of_memory() { return {.latency = 200, .overhead = 50}; }
  // Returns the level of an adapter of 100 Gb/s: a latency of 1500 ns, an overhead of 300 and 0.1
  // per byte, a gap of 50 and 0.08 per byte.
  static constexpr network_level of_adapter() {
    return {.latency = 1500,
            .overhead = 300,
            .overhead_per_byte = 0.1,
            .gap = 50,
            .gap_per_byte = 0.08};
  }
};

// A link between switches, or between nodes that are switches themselves, in one direction: the
// cost in nanoseconds per byte, and the latency in nanoseconds from end to end, in addition to the
// latency between nodes.
struct network_link {
  double gap_per_byte = 0.08;
  double latency = 100;
};

// A fat tree: nodes are connected to switches, and switches to one another by further levels of
// switches. The links up from a switch, or from a group of switches, share their total bandwidth,
// whichever link each buffer takes; so do the links down.
struct fat_tree {
  int nodes_per_switch = 1;
  int uplinks_per_switch = 1;
  int switches_per_group = 0;  // 0: all are in one group
  int uplinks_per_group = 0;   // 0: as many as the group's switches have
};

// A dragonfly: groups of routers, every router connected to every other router of its group, every
// group to every other group (Kim, Dally, Scott and Abts, 2008). The links of a router to its group
// share their total bandwidth; so do the links between two groups: the links of a group to the
// outside, shared equally between the other groups.
struct dragonfly {
  int nodes_per_router = 1;
  int routers_per_group = 1;
  int local_links_per_router = 1;
  int global_links_per_group = 1;
  // A buffer goes by way of a third group if the links between the two groups are so much busier
  // that the buffer arrives earlier (UGAL); the third group is drawn.
  bool adaptive = true;
};

// A torus: every node is connected to its neighbours along each dimension, in a ring. A buffer
// takes one dimension after the other, each in the shorter direction.
struct torus {
  int dimensions = 3;
  std::vector<int> sizes = {};  // empty: about equal, with room for all nodes
};

// The cost of items for the core of a PE, in nanoseconds. The program's own work for each item is
// not included: `push` and `pull` can be raised by the time of the work.
struct core_costs {
  // The cost of each item, or array of items: put into a buffer of the first hop, moved from buffer
  // to buffer on the way (or put into a buffer of a later hop, by a PE that need not use the first
  // hop), taken out of a buffer of the last hop. The usual values are the instructions of the three
  // actions (18.5, 12 and 7.5, on routes of several hops), three to a cycle of 3 GHz.
  double push = 2;
  double pivot = 1.4;
  double pull = 0.8;
  // The cost of each byte of an item and of the data that travel with the item, each time.
  double byte = 0.03;
  // The additional cost of each item that is put into a buffer, as far as the buffers that a PE
  // fills by turns do not fit in `cache_bytes` of cache.
  double miss = 5;
  double cache_bytes = 1 << 20;
  // The cost of a context switch where PEs share cores: for a PE that gets a core after a wait, or
  // after another PE had the core.
  double change = 0;
};

struct simulated_network {
  // The level of shared memory: a PE of the node that waits for a store of another PE sees the
  // store after the latency, and the storing PE's core is busy for the overhead. (The other costs
  // are not used.)
  network_level same_node = network_level::of_memory();
  // The level of the network: the PEs of a node share one adapter in each direction, which takes
  // one buffer after the other.
  network_level other_node = network_level::of_adapter();
  // Added to the latency between nodes of different groups: the groups of the topology, or groups
  // of `nodes_per_group` nodes (0: there is one group).
  double other_group_latency = 0;
  int nodes_per_group = 0;
  // The topology between the adapters; `std::monostate`: every transfer passes immediately.
  std::variant<std::monostate, fat_tree, dragonfly, torus> topology{};
  network_link link{};
  core_costs core{};
  // The number of cores that the PEs of a node share: a PE keeps a core until the PE waits, or has
  // had the core for 3 ms while other PEs want a core; waiting PEs get cores first come, first
  // served. 0: one core for each PE.
  int cores_per_node = 0;
  // Whether adapters execute the actions of schedules, collectives and windows on arrivals without
  // a PE, also while the PE computes (offloaded-collectives-2013). Otherwise a PE executes the
  // actions when the PE is in a function of Boxcar again.
  bool offload = false;
};

// Local. Reads a network from a file. A line is `key = value` with the names of the members above,
// as in `other_node.latency = 1500` or `torus.sizes = [8, 8, 16]`; `#` begins a comment. Missing
// keys have the default values. Throws argument_error that names the line, the key and the allowed
// values; system_error if the file cannot be read. In the library `boxcar::simulated`.
simulated_network read_network(const std::string& path);

}  // namespace boxcar
