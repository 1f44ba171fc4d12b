#include "substrate/simulated/network_links.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/error.hpp>

namespace boxcar::detail {
namespace {

std::size_t place(int i) {
  return static_cast<std::size_t>(i);
}

int at_least(int least, int value, const char* what) {
  if (value >= least) return value;
  throw argument_error(std::string("simulate: the network's ") + what + " is " +
                       std::to_string(value) + ": give " + std::to_string(least) + " or more");
}

int groups_of(int nodes, int each) {
  return (nodes + each - 1) / each;
}

// Several links that carry what they can together.
class bundle {
 public:
  bundle() = default;
  bundle(const network_link& link, int links) : gap_per_byte_(link.gap_per_byte / links) {}

  // How long something would wait for it.
  [[nodiscard]] moment backlog(moment now) const { return std::max<moment>(is_free_ - now, 0); }
  [[nodiscard]] moment time_for(std::size_t bytes) const {
    return from_nanoseconds(static_cast<double>(bytes) * gap_per_byte_);
  }
  void take(passage& p, std::size_t bytes, moment latency) {
    const moment begin = std::max(is_free_, p.head);
    is_free_ = begin + time_for(bytes);
    p.head = begin + latency;
    p.tail = std::max(p.tail, is_free_) + latency;
  }

 private:
  moment is_free_ = 0;
  double gap_per_byte_ = 0;
};

// What all topologies have.
class links_base : public network_links {
 protected:
  explicit links_base(const network_link& l) : latency_(from_nanoseconds(l.latency)) {}
  void take(bundle& b, passage& p, std::size_t bytes) const { b.take(p, bytes, latency_); }
  [[nodiscard]] moment latency() const { return latency_; }

 private:
  moment latency_;
};

class fat_tree_links final : public links_base {
 public:
  fat_tree_links(const fat_tree& t, const network_link& l, int nodes)
      : links_base(l),
        per_switch_(at_least(1, t.nodes_per_switch, "fat_tree.nodes_per_switch")),
        switches_per_group_(at_least(0, t.switches_per_group, "fat_tree.switches_per_group")) {
    const int uplinks = at_least(1, t.uplinks_per_switch, "fat_tree.uplinks_per_switch");
    const int switches = groups_of(nodes, per_switch_);
    at_least(0, t.uplinks_per_group, "fat_tree.uplinks_per_group");
    up_.assign(place(switches), bundle(l, uplinks));
    down_ = up_;
    if (switches_per_group_ == 0) return;
    const int from_group =
        t.uplinks_per_group == 0 ? uplinks * switches_per_group_ : t.uplinks_per_group;
    group_up_.assign(place(groups_of(switches, switches_per_group_)), bundle(l, from_group));
    group_down_ = group_up_;
  }

  passage pass(int from, int to, std::size_t bytes, moment now) override {
    const int a = from / per_switch_;
    const int b = to / per_switch_;
    passage p{now, now};
    if (a == b) return p;
    take(up_[place(a)], p, bytes);
    if (switches_per_group_ != 0 && a / switches_per_group_ != b / switches_per_group_) {
      take(group_up_[place(a / switches_per_group_)], p, bytes);
      take(group_down_[place(b / switches_per_group_)], p, bytes);
    }
    take(down_[place(b)], p, bytes);
    return p;
  }
  [[nodiscard]] int nodes_per_group() const override { return per_switch_ * switches_per_group_; }

 private:
  int per_switch_;
  int switches_per_group_;
  std::vector<bundle> up_;  // by switch
  std::vector<bundle> down_;
  std::vector<bundle> group_up_;  // by group
  std::vector<bundle> group_down_;
};

class dragonfly_links final : public links_base {
 public:
  dragonfly_links(const dragonfly& d, const network_link& l, int nodes, std::uint64_t seed)
      : links_base(l),
        per_router_(at_least(1, d.nodes_per_router, "dragonfly.nodes_per_router")),
        per_group_(at_least(1, d.routers_per_group, "dragonfly.routers_per_group")),
        groups_(groups_of(groups_of(nodes, per_router_), per_group_)),
        adaptive_(d.adaptive && groups_ > 2),
        random_(seed) {
    const int local = at_least(1, d.local_links_per_router, "dragonfly.local_links_per_router");
    const int global = at_least(1, d.global_links_per_group, "dragonfly.global_links_per_group");
    out_.assign(place(groups_ * per_group_), bundle(l, local));
    in_ = out_;
    if (groups_ == 1) return;
    // As many between two groups as there are on average; where that is less than one, groups take
    // turns, which this does not show.
    network_link shared = l;
    shared.gap_per_byte *= static_cast<double>(groups_ - 1);
    between_.assign(place(groups_) * place(groups_), bundle(shared, global));
  }

  passage pass(int from, int to, std::size_t bytes, moment now) override {
    const int a = from / per_router_;
    const int b = to / per_router_;
    passage p{now, now};
    if (a == b) return p;
    take(out_[place(a)], p, bytes);
    const int first = a / per_group_;
    const int last = b / per_group_;
    if (first != last) {
      const int by_way_of = adaptive_ ? choose(first, last, bytes, p.head) : last;
      if (by_way_of == last) {
        take(between(first, last), p, bytes);
      } else {
        take(between(first, by_way_of), p, bytes);
        take(between(by_way_of, last), p, bytes);
      }
    }
    take(in_[place(b)], p, bytes);
    return p;
  }
  [[nodiscard]] int nodes_per_group() const override { return per_router_ * per_group_; }

 private:
  [[nodiscard]] bundle& between(int a, int b) {
    return between_[place(a) * place(groups_) + place(b)];
  }
  // By way of which group; `to` itself: directly.
  [[nodiscard]] int choose(int from, int to, std::size_t bytes, moment now) {
    random_ = random_ * 6364136223846793005u + 1442695040888963407u;
    int third = static_cast<int>((random_ >> 33) % static_cast<std::uint64_t>(groups_ - 2));
    for (const int taken : {std::min(from, to), std::max(from, to)}) third += third >= taken;
    const moment longer = between(from, third).backlog(now) + between(third, to).backlog(now) +
                          between(third, to).time_for(bytes) + latency();
    return longer < between(from, to).backlog(now) ? third : to;
  }

  int per_router_;
  int per_group_;  // routers
  int groups_;
  bool adaptive_;
  std::uint64_t random_;
  std::vector<bundle> out_;  // by router
  std::vector<bundle> in_;
  std::vector<bundle> between_;  // by both groups
};

class torus_links final : public links_base {
 public:
  torus_links(const torus& t, const network_link& l, int nodes)
      : links_base(l),
        sizes_(t.sizes.empty() ? about_equal(t.dimensions, nodes) : checked(t.sizes, nodes)) {
    links_.assign(place(nodes_of(sizes_)) * sizes_.size() * 2, bundle(l, 1));
  }

  passage pass(int from, int to, std::size_t bytes, moment now) override {
    passage p{now, now};
    int step = 1;  // from node to node along the dimension
    int at = from;
    for (std::size_t d = 0; d < sizes_.size(); ++d) {
      const int size = sizes_[d];
      int here = at / step % size;
      const int there = to / step % size;
      const int forth = (there - here + size) % size;
      const bool goes_up = forth * 2 < size || (forth * 2 == size && here % 2 == 0);
      for (; here != there;) {
        take(links_[(place(at) * sizes_.size() + d) * 2 + (goes_up ? 0 : 1)], p, bytes);
        const int next = (here + (goes_up ? 1 : size - 1)) % size;
        at += (next - here) * step;
        here = next;
      }
      step *= size;
    }
    return p;
  }
  [[nodiscard]] int nodes_per_group() const override { return 0; }

 private:
  static std::int64_t nodes_of(const std::vector<int>& sizes) {
    std::int64_t nodes = 1;
    for (const int size : sizes) {
      nodes *= size;
      if (nodes > std::numeric_limits<int>::max()) break;
    }
    return nodes;
  }
  static std::size_t place(std::int64_t i) { return static_cast<std::size_t>(i); }

  static std::vector<int> checked(const std::vector<int>& sizes, int nodes) {
    std::string text;
    for (const int size : sizes) {
      at_least(1, size, "torus.sizes");
      text += (text.empty() ? "" : " x ") + std::to_string(size);
    }
    const std::int64_t places = nodes_of(sizes);
    if (places >= nodes && places <= std::numeric_limits<int>::max()) return sizes;
    throw argument_error("simulate: a torus of " + text + " has " +
                         (places < nodes ? std::to_string(places) + " places for " +
                                               std::to_string(nodes) + " nodes: give larger sizes"
                                         : std::string("too many nodes: give smaller sizes")) +
                         ", or torus.dimensions alone");
  }
  static std::vector<int> about_equal(int dimensions, int nodes) {
    constexpr int most = 8;
    if (dimensions < 1 || dimensions > most) {
      throw argument_error("simulate: the network's torus.dimensions is " +
                           std::to_string(dimensions) + ": give 1 to " + std::to_string(most));
    }
    std::vector<int> sizes(place(std::int64_t{dimensions}), 1);
    while (nodes_of(sizes) < nodes) ++*std::ranges::min_element(sizes);
    return sizes;
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
