#include "substrate/simulated/network_links.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <boxcar/error.hpp>

#include "grid/torus_sizes.hpp"

namespace boxcar::detail {
namespace {

// More than any machine has; tables with as many links fit in memory.
constexpr int max_groups = 4096;
constexpr std::int64_t max_places = std::int64_t{1} << 24;
constexpr int most_of_a_kind = 1 << 20;

std::size_t place(int i) {
  return static_cast<std::size_t>(i);
}

int checked(int value, int least, const char* what) {
  if (value >= least && value <= most_of_a_kind) return value;
  throw argument_error(std::string("simulate: the network's ") + what + " is " +
                       std::to_string(value) + ": give " + std::to_string(least) + " to " +
                       std::to_string(most_of_a_kind));
}

int groups_of(int nodes, std::int64_t each) {
  return static_cast<int>((nodes + each - 1) / each);
}

// Returns the number of nodes of a group; a group larger than all nodes becomes a group of all.
int nodes_in(std::int64_t nodes) {
  return static_cast<int>(std::min<std::int64_t>(nodes, std::numeric_limits<int>::max()));
}

// A bundle is several links that carry buffers together.
class bundle {
 public:
  bundle() = default;
  bundle(const network_link& link, double links)
      : gap_per_byte_(link.gap_per_byte / links), latency_(from_nanoseconds(link.latency)) {}

  // Returns how long a passage would wait for the bundle.
  [[nodiscard]] moment backlog(moment now) const { return std::max<moment>(is_free_ - now, 0); }
  [[nodiscard]] moment time_for(std::size_t bytes) const {
    return from_nanoseconds(static_cast<double>(bytes) * gap_per_byte_);
  }
  bool carry(passage& p) {
    const moment begin = std::max(is_free_, p.head);
    is_free_ = begin + time_for(p.bytes);
    p.head = begin + latency_;
    p.tail = std::max(p.tail, is_free_) + latency_;
    ++p.step;
    return true;
  }

 private:
  moment is_free_ = 0;
  double gap_per_byte_ = 0;
  moment latency_ = 0;
};

class fat_tree_links final : public network_links {
 public:
  fat_tree_links(const fat_tree& t, const network_link& l, int nodes)
      : per_switch_(checked(t.nodes_per_switch, 1, "fat_tree.nodes_per_switch")),
        switches_per_group_(checked(t.switches_per_group, 0, "fat_tree.switches_per_group")) {
    const int uplinks = checked(t.uplinks_per_switch, 1, "fat_tree.uplinks_per_switch");
    const int wanted = checked(t.uplinks_per_group, 0, "fat_tree.uplinks_per_group");
    const int switches = groups_of(nodes, per_switch_);
    up_.assign(place(switches), bundle(l, uplinks));
    down_ = up_;
    if (switches_per_group_ == 0) return;
    const double from_group = wanted == 0 ? double{1} * uplinks * switches_per_group_ : wanted;
    group_up_.assign(place(groups_of(switches, switches_per_group_)), bundle(l, from_group));
    group_down_ = group_up_;
  }

  bool move_on(passage& p) override {
    const int a = p.from / per_switch_;
    const int b = p.to / per_switch_;
    if (a == b) return false;
    const bool leaves_group =
        switches_per_group_ != 0 && a / switches_per_group_ != b / switches_per_group_;
    if (p.step == 1 && !leaves_group) p.step = 3;
    switch (p.step) {
      case 0:
        return up_[place(a)].carry(p);
      case 1:
        return group_up_[place(a / switches_per_group_)].carry(p);
      case 2:
        return group_down_[place(b / switches_per_group_)].carry(p);
      case 3:
        return down_[place(b)].carry(p);
      default:
        return false;
    }
  }
  [[nodiscard]] int nodes_per_group() const override {
    return nodes_in(std::int64_t{per_switch_} * switches_per_group_);
  }

 private:
  int per_switch_;
  int switches_per_group_;
  std::vector<bundle> up_;  // by switch
  std::vector<bundle> down_;
  std::vector<bundle> group_up_;  // by group
  std::vector<bundle> group_down_;
};

class dragonfly_links final : public network_links {
 public:
  dragonfly_links(const dragonfly& d, const network_link& l, int nodes, std::uint64_t seed)
      : per_router_(checked(d.nodes_per_router, 1, "dragonfly.nodes_per_router")),
        per_group_(checked(d.routers_per_group, 1, "dragonfly.routers_per_group")),
        groups_(groups_of(groups_of(nodes, per_router_), per_group_)),
        adaptive_(d.adaptive && groups_ > 2),
        random_(seed) {
    const int local = checked(d.local_links_per_router, 1, "dragonfly.local_links_per_router");
    const int global = checked(d.global_links_per_group, 1, "dragonfly.global_links_per_group");
    if (groups_ > max_groups) {
      throw argument_error("simulate: a dragonfly for " + std::to_string(nodes) +
                           " nodes would have " + std::to_string(groups_) + " groups of " +
                           std::to_string(per_router_) + " x " + std::to_string(per_group_) +
                           " nodes: give larger groups, at most " + std::to_string(max_groups) +
                           " (dragonfly.nodes_per_router, dragonfly.routers_per_group)");
    }
    out_.assign(place(groups_of(nodes, per_router_)), bundle(l, local));
    in_ = out_;
    if (groups_ == 1) return;
    // The average number of links between two groups. If the average is less than one, groups would
    // take turns, and the model does not show the turns.
    between_.assign(place(groups_) * place(groups_),
                    bundle(l, static_cast<double>(global) / static_cast<double>(groups_ - 1)));
  }

  bool move_on(passage& p) override {
    const int a = p.from / per_router_;
    const int b = p.to / per_router_;
    if (a == b) return false;
    const int first = a / per_group_;
    const int last = b / per_group_;
    if (p.step == 1 && first == last) p.step = 3;
    switch (p.step) {
      case 0:
        return out_[place(a)].carry(p);
      case 1:
        p.by_way_of = adaptive_ ? way_of(p, first, last) : last;
        return between(first, p.by_way_of).carry(p);
      case 2:
        if (p.by_way_of != last) return between(p.by_way_of, last).carry(p);
        ++p.step;
        [[fallthrough]];
      case 3:
        return in_[place(b)].carry(p);
      default:
        if (adaptive_ && first != last) has_passed(p);
        return false;
    }
  }
  [[nodiscard]] int nodes_per_group() const override {
    return nodes_in(std::int64_t{per_router_} * per_group_);
  }

 private:
  // All passages in flight from one node to another take the same route, to keep their order.
  struct way {
    int by_way_of = 0;
    int under_way = 0;
    moment until = 0;  // the last passage at the end of the path is complete
  };
  static std::uint64_t key_of(const passage& p) {
    return static_cast<std::uint64_t>(p.from) << 32 | static_cast<std::uint32_t>(p.to);
  }
  int way_of(const passage& p, int from, int to) {
    if (ways_.size() >= forget_at_) forget(p.head);
    way& w = ways_[key_of(p)];
    if (w.under_way++ == 0 && w.until <= p.head) w.by_way_of = choose(from, to, p.bytes, p.head);
    return w.by_way_of;
  }
  void has_passed(const passage& p) {
    way& w = ways_.find(key_of(p))->second;
    --w.under_way;
    w.until = std::max(w.until, p.tail);
  }
  void forget(moment now) {
    std::erase_if(ways_, [now](const auto& one) {
      return one.second.under_way == 0 && one.second.until <= now;
    });
    forget_at_ = std::max(forget_at_, 2 * ways_.size());
  }

  [[nodiscard]] bundle& between(int a, int b) {
    return between_[place(a) * place(groups_) + place(b)];
  }
  // Returns the group to pass through; `to` itself: the direct link.
  [[nodiscard]] int choose(int from, int to, std::size_t bytes, moment now) {
    random_ = random_ * 6364136223846793005u + 1442695040888963407u;
    int third = static_cast<int>((random_ >> 33) % static_cast<std::uint64_t>(groups_ - 2));
    for (const int taken : {std::min(from, to), std::max(from, to)})
      third += third >= taken ? 1 : 0;
    const moment longer = between(from, third).backlog(now) + between(third, to).backlog(now) +
                          2 * between(third, to).time_for(bytes);
    return longer < between(from, to).backlog(now) ? third : to;
  }

  int per_router_;
  int per_group_;  // routers
  int groups_;
  bool adaptive_;
  std::uint64_t random_;
  std::vector<bundle> out_;  // by router
  std::vector<bundle> in_;
  std::vector<bundle> between_;                  // by both groups
  std::unordered_map<std::uint64_t, way> ways_;  // by both nodes
  std::size_t forget_at_ = 4096;                 // the number of routes before `forget`
};

class torus_links final : public network_links {
 public:
  torus_links(const torus& t, const network_link& l, int nodes)
      : sizes_(with_room(torus_sizes(t, nodes), nodes)) {
    links_.assign(place(nodes_of(sizes_)) * sizes_.size() * 2, bundle(l, 1));
  }

  bool move_on(passage& p) override {
    if (p.step == 0) p.at = p.from;
    int step = 1;  // from node to node along the dimension
    for (std::size_t d = 0; d < sizes_.size(); ++d) {
      const int size = sizes_[d];
      const int start = p.from / step % size;
      const int here = p.at / step % size;
      const int there = p.to / step % size;
      if (here != there) {
        const int forth = (there - start + size) % size;
        const bool goes_up = forth * 2 < size || (forth * 2 == size && start % 2 == 0);
        bundle& link = links_[(place(p.at) * sizes_.size() + d) * 2 + (goes_up ? 0 : 1)];
        p.at += ((here + (goes_up ? 1 : size - 1)) % size - here) * step;
        return link.carry(p);
      }
      step *= size;
    }
    return false;
  }
  [[nodiscard]] int nodes_per_group() const override { return 0; }

 private:
  static std::int64_t nodes_of(const std::vector<int>& sizes) {
    std::int64_t nodes = 1;
    for (const int size : sizes) {
      nodes *= size;
      if (nodes > max_places) break;
    }
    return nodes;
  }
  static std::size_t place(std::int64_t i) { return static_cast<std::size_t>(i); }

  static std::vector<int> with_room(const std::vector<int>& sizes, int nodes) {
    std::string text;
    for (const int size : sizes) {
      checked(size, 1, "torus.sizes");
      text += (text.empty() ? "" : " x ") + std::to_string(size);
    }
    const std::int64_t places = nodes_of(sizes);
    if (places >= nodes && places <= max_places) return sizes;
    throw argument_error("simulate: a torus of " + text + " has " +
                         (places < nodes ? std::to_string(places) + " places for " +
                                               std::to_string(nodes) + " nodes: give larger sizes"
                                         : std::string("too many nodes: give smaller sizes")) +
                         ", or torus.dimensions alone");
  }
  std::vector<int> sizes_;
  std::vector<bundle> links_;  // by node, dimension, direction
};

}  // namespace

std::unique_ptr<network_links> make_network_links(const simulated_network& network, int nodes,
                                                  std::uint64_t seed) {
  if (const auto* t = std::get_if<fat_tree>(&network.topology)) {
    return std::make_unique<fat_tree_links>(*t, network.link, nodes);
  }
  if (const auto* d = std::get_if<dragonfly>(&network.topology)) {
    return std::make_unique<dragonfly_links>(*d, network.link, nodes, seed);
  }
  if (const auto* t = std::get_if<torus>(&network.topology)) {
    return std::make_unique<torus_links>(*t, network.link, nodes);
  }
  return nullptr;
}

}  // namespace boxcar::detail
