#include "planner/topology_load.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

#include <boxcar/error.hpp>

#include "grid/torus_sizes.hpp"

namespace boxcar::detail {
namespace {

// The share of buffers on a kind of link, the number of nodes that share links of the kind, and the
// number of links shared.
struct crossing {
  double part = 0;
  double nodes = 1;
  double links = 1;
};

class load {
 public:
  load(const simulated_network& network, int nodes, const std::vector<node_pair>& pairs)
      : network_(network), nodes_(nodes), pairs_(pairs) {}

  topology_load of(std::monostate /*unused*/) {
    const int group = network_.nodes_per_group;
    add_group_latency([group](int node) { return group == 0 ? 0 : node / group; });
    return result_;
  }

  topology_load of(const fat_tree& t) {
    require(t.nodes_per_switch, "fat_tree.nodes_per_switch");
    require(t.uplinks_per_switch, "fat_tree.uplinks_per_switch");
    const auto switch_of = [&t](int node) { return node / t.nodes_per_switch; };
    const auto group_of = [&](int node) {
      return t.switches_per_group == 0 ? 0 : switch_of(node) / t.switches_per_group;
    };
    const double leave_switch = part(switch_of);
    const double leave_group = part(group_of);
    add({leave_switch, full(t.nodes_per_switch), double(t.uplinks_per_switch)}, 2);
    if (t.switches_per_group != 0) {
      const double uplinks = t.uplinks_per_group == 0
                                 ? double(t.uplinks_per_switch) * t.switches_per_group
                                 : t.uplinks_per_group;
      add({leave_group, full(double(t.nodes_per_switch) * t.switches_per_group), uplinks}, 2);
    }
    add_group_latency(group_of);
    return result_;
  }

  topology_load of(const dragonfly& d) {
    require(d.nodes_per_router, "dragonfly.nodes_per_router");
    require(d.routers_per_group, "dragonfly.routers_per_group");
    require(d.local_links_per_router, "dragonfly.local_links_per_router");
    require(d.global_links_per_group, "dragonfly.global_links_per_group");
    const double per_group = double(d.nodes_per_router) * d.routers_per_group;
    const auto router_of = [&d](int node) { return node / d.nodes_per_router; };
    const auto group_of = [&](int node) { return router_of(node) / d.routers_per_group; };
    add({part(router_of), full(d.nodes_per_router), double(d.local_links_per_router)}, 2);
    add({part(group_of), full(per_group), double(d.global_links_per_group)}, 1);
    add_group_latency(group_of);
    return result_;
  }

  topology_load of(const torus& t) {
    const std::vector<int> sizes = torus_sizes(t, nodes_);
    if (places(sizes) < nodes_) {
      throw argument_error("the network's torus has " + std::to_string(places(sizes)) +
                           " places for " + std::to_string(nodes_) +
                           " nodes: give larger torus.sizes, or torus.dimensions alone");
    }
    int step = 1;
    for (const int size : sizes) {
      const double steps = mean([&](const node_pair& p) {
        const int forth = (p.to / step % size - p.from / step % size + size) % size;
        return double(std::min(forth, size - forth));
      });
      // Two nodes of a ring have two links in each direction; a buffer takes a link chosen by the
      // buffer's place.
      add({steps, 1, size > 2 ? 2.0 : 1.0}, 1);
      step *= size;
    }
    return result_;
  }

 private:
  static void require(int value, const char* what) {
    if (value >= 1) return;
    throw argument_error(std::string("the network's ") + what + " is " + std::to_string(value) +
                         ": give at least 1");
  }
  static std::int64_t places(const std::vector<int>& sizes) {
    std::int64_t n = 1;
    for (const int size : sizes) n *= size;
    return n;
  }
  [[nodiscard]] double full(double nodes) const { return std::min(nodes, double(nodes_)); }

  template <typename Of>
  [[nodiscard]] double mean(const Of& of) const {
    double sum = 0;
    for (const node_pair& p : pairs_) sum += of(p);
    return pairs_.empty() ? 0 : sum / static_cast<double>(pairs_.size());
  }
  // Returns the share of the buffers whose target has another place than their source.
  template <typename Place>
  [[nodiscard]] double part(const Place& place) const {
    return mean([&](const node_pair& p) { return place(p.from) == place(p.to) ? 0.0 : 1.0; });
  }
  void add(const crossing& c, int links_of_path) {
    result_.latency += c.part * links_of_path * network_.link.latency;
    result_.busy_per_byte.push_back(c.part * c.nodes * network_.link.gap_per_byte / c.links);
  }
  template <typename Group>
  void add_group_latency(const Group& group) {
    result_.latency += part(group) * network_.other_group_latency;
  }

  const simulated_network& network_;
  int nodes_;
  const std::vector<node_pair>& pairs_;
  topology_load result_;
};

}  // namespace

topology_load load_of(const simulated_network& network, int nodes,
                      const std::vector<node_pair>& pairs) {
  load found(network, nodes, pairs);
  return std::visit([&](const auto& topology) { return found.of(topology); }, network.topology);
}

}  // namespace boxcar::detail
