#include "planner/setting_traffic.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <utility>

#include "conveyor/path_choice.hpp"
#include "route/route_function.hpp"

namespace boxcar::detail {
namespace {

// Limits of sampling: the number of PEs whose links are examined, and the number of links for each
// of these PEs.
constexpr int looked_at = 8;
constexpr std::size_t links_looked_at = 64;

int pes_of(const plan_request& wish) {
  return wish.nodes * wish.pes_per_node;
}

// The function visits at most `most` elements of a list, evenly spaced.
template <typename T, typename Visit>
void visit_some(const std::vector<T>& all, std::size_t most, const Visit& visit) {
  const std::size_t step = std::max<std::size_t>(1, all.size() / most);
  for (std::size_t i = 0; i < all.size(); i += step) visit(all[i]);
}

// --- Along hops that tags tell (direct, matrix, tensor) ------------------------------------------

class grouped_traffic {
 public:
  grouped_traffic(const plan_request& wish, const tagged_route& path, bool all_hops)
      : wish_(wish), path_(path), pes_(pes_of(wish)), skips_(!all_hops && lists(path)) {}

  setting_traffic all() {
    setting_traffic t;
    t.pairs.resize(static_cast<std::size_t>(path_.hops()));
    if (path_.hops() < 3) {
      t.roles.push_back(role(1, 1, first_pes(0)));
    } else {
      add_tensor_roles(t);
    }
    for (int hop = 0; hop < path_.hops(); ++hop) add_pairs(hop, t.pairs[place(hop)]);
    return t;
  }

 private:
  static std::size_t place(int i) { return static_cast<std::size_t>(i); }
  // Conveyors with a list of first steps skip hops from a PE to itself.
  static bool lists(const tagged_route& path) { return path.lists_first_steps(); }

  // With three hops, the PEs at place z of their groups forward on the second hop the packets for
  // the groups z, z + group, ...: the first places have a group more if the groups do not come out
  // even.
  void add_tensor_roles(setting_traffic& t) const {
    const int group = path_.group();
    const int groups = pes_ / group;
    const int layers = (groups + group - 1) / group;
    const int full = groups - (layers - 1) * group;  // places with a group in the last layer
    const auto work = [&](int of) {
      return static_cast<double>(group) * static_cast<double>(of) / static_cast<double>(groups);
    };
    const double share = static_cast<double>(full) / static_cast<double>(group);
    t.roles.push_back(role(share, work(layers), first_pes(0)));
    if (full < group) t.roles.push_back(role(1 - share, work(layers - 1), first_pes(full)));
  }

  // Returns some PEs, evenly spread over the world, at place `at` of their groups.
  [[nodiscard]] std::vector<int> first_pes(int at) const {
    const int group = std::max(path_.group(), 1);
    const bool any = path_.hops() < 3;
    std::vector<int> some;
    for (int i = 0; i < looked_at; ++i) {
      const auto pe = static_cast<int>(std::int64_t{pes_} * i / looked_at);
      some.push_back(any ? pe : std::min(pe / group * group + at, pes_ - 1));
    }
    std::ranges::sort(some);
    some.erase(std::unique(some.begin(), some.end()), some.end());
    return some;
  }

  // `work`: the packets that pass on the middle hop and the last, per item of an average PE.
  [[nodiscard]] role_traffic role(double share, double work, const std::vector<int>& some) const {
    role_traffic r{.share = share, .stages = {}};
    for (int hop = 0; hop < path_.hops(); ++hop) {
      stage_traffic s;
      add_links(s, hop, some);
      double items = hop == 0 ? 1 : work;
      if (skips_ && hop == 0 && path_.hops() > 1 && s.near_links >= 1) {
        items *= 1 - 1 / (s.near_links + s.far_links);
        s.near_links -= 1;
        s.idle_links = 1;
      }
      const double all = s.near_links + s.far_links;
      s.near_items = all == 0 ? 0 : items * s.near_links / all;
      s.far_items = items - s.near_items;
      s.packet_bytes = static_cast<double>(path_.tag_bytes(hop)) + double(wish_.item_bytes);
      s.is_first = hop == 0;
      s.is_last = hop + 1 == path_.hops();
      r.stages.push_back(s);
    }
    return r;
  }

  // The function adds the links of an average PE of `some`.
  void add_links(stage_traffic& s, int hop, const std::vector<int>& some) const {
    if (path_.hops() == 1) {
      s.near_links = wish_.pes_per_node;
      s.far_links = pes_ - wish_.pes_per_node;
      return;
    }
    const double part = 1 / static_cast<double>(some.size());
    for (const int pe : some) {
      for (const int peer : path_.peers(hop, pe)) {
        (peer / wish_.pes_per_node == pe / wish_.pes_per_node ? s.near_links : s.far_links) += part;
      }
    }
  }

  void add_pairs(int hop, std::vector<node_pair>& pairs) const {
    for (const int pe : first_pes(0)) {
      const int from = pe / wish_.pes_per_node;
      if (path_.hops() == 1) {
        for (int i = 1; i <= static_cast<int>(links_looked_at); ++i) {
          const auto to =
              static_cast<int>(std::int64_t{wish_.nodes} * i / static_cast<int>(links_looked_at) +
                               from) %
              wish_.nodes;
          if (to != from) pairs.push_back({from, to});
        }
        continue;
      }
      visit_some(path_.peers(hop, pe), links_looked_at, [&](int peer) {
        const int to = peer / wish_.pes_per_node;
        if (to != from) pairs.push_back({from, to});
      });
    }
  }

  const plan_request& wish_;
  const tagged_route& path_;
  int pes_;
  bool skips_;
};

// --- Along any route -----------------------------------------------------------------------------

// The traffic along any route: the PEs of a node are counted for items drawn at random. PEs with
// equally many links on each stage have the same role.
class routed_traffic {
 public:
  routed_traffic(const plan_request& wish, const route& way)
      : wish_(wish), way_(way), pes_(pes_of(wish)), stages_(way.stages()) {
    for (int local = 0; local < wish_.pes_per_node; ++local) find_role(local);
  }

  setting_traffic all() {
    setting_traffic t;
    t.pairs.resize(static_cast<std::size_t>(stages_));
    draw(t.pairs);
    const tagged_route tags = tagged_route::by_table(pes_, stages_);
    for (const auto& r : roles_) {
      role_traffic role{.share = double(r.members) / wish_.pes_per_node, .stages = {}};
      for (int stage = 0; stage < stages_; ++stage) {
        stage_traffic s;
        const auto at = static_cast<std::size_t>(stage);
        s.near_links = double(r.near_links[at]);
        s.far_links = double(r.far_links[at]);
        s.near_items = r.near_items[at] / (drawn * role.share);
        s.far_items = r.far_items[at] / (drawn * role.share);
        s.packet_bytes = double(tags.tag_bytes(stage)) + double(wish_.item_bytes);
        s.is_first = stage == 0;
        s.is_last = stage + 1 == stages_;
        role.stages.push_back(s);
      }
      t.roles.push_back(std::move(role));
    }
    return t;
  }

 private:
  static constexpr int drawn = 1 << 16;
  using by_stage = std::vector<int>;
  struct counts {
    int members = 0;
    by_stage near_links;
    by_stage far_links;
    std::vector<double> near_items;
    std::vector<double> far_items;
  };

  [[nodiscard]] bool is_near(int a, int b) const {
    return a / wish_.pes_per_node == b / wish_.pes_per_node;
  }

  void find_role(int local) {
    const int pe = wish_.nodes / 2 * wish_.pes_per_node + local;
    counts c{.members = 1,
             .near_links = by_stage(static_cast<std::size_t>(stages_)),
             .far_links = by_stage(static_cast<std::size_t>(stages_)),
             .near_items = std::vector<double>(static_cast<std::size_t>(stages_)),
             .far_items = std::vector<double>(static_cast<std::size_t>(stages_))};
    c.near_links.back() = 1;  // to itself
    for (const hop& h : way_.links(pe)) {
      ++(is_near(h.pe, pe) ? c.near_links : c.far_links)[static_cast<std::size_t>(h.stage)];
    }
    const auto same = std::ranges::find_if(roles_, [&](const counts& other) {
      return other.near_links == c.near_links && other.far_links == c.far_links;
    });
    role_of_.push_back(static_cast<std::size_t>(same - roles_.begin()));
    if (same == roles_.end()) {
      roles_.push_back(std::move(c));
    } else {
      ++same->members;
    }
  }

  void draw(std::vector<std::vector<node_pair>>& pairs) {
    std::minstd_rand random(1);
    const auto any = [&] { return static_cast<int>(random() % static_cast<unsigned>(pes_)); };
    for (int i = 0; i < drawn; ++i) {
      int at = any();
      const int to = any();
      bool is_on_last = false;
      while (at != to) {
        const hop h = way_.next(at, to);
        counts& c = of(at);
        const auto stage = static_cast<std::size_t>(h.stage);
        const bool near = is_near(h.pe, at);
        (near ? c.near_items : c.far_items)[stage] += 1;
        if (!near && pairs[stage].size() < looked_at * links_looked_at) {
          pairs[stage].push_back({at / wish_.pes_per_node, h.pe / wish_.pes_per_node});
        }
        at = h.pe;
        is_on_last = h.stage + 1 == stages_;
      }
      if (!is_on_last) of(to).near_items.back() += 1;
    }
  }
  counts& of(int pe) { return roles_[role_of_[static_cast<std::size_t>(pe % wish_.pes_per_node)]]; }

  const plan_request& wish_;
  const route& way_;
  int pes_;
  int stages_;
  std::vector<counts> roles_;
  std::vector<std::size_t> role_of_;  // by local rank
};

// Returns the cost as path_choice computes it for a real world, here for a hypothetical world.
way_cost cost_by_table(const setting_traffic& t, int stages, int pes) {
  way_cost most;
  most.hops = stages;
  for (const role_traffic& r : t.roles) {
    std::size_t links = 0;
    std::size_t far_links = 0;
    for (const stage_traffic& s : r.stages) {
      links += static_cast<std::size_t>(s.near_links + s.far_links);
      far_links += static_cast<std::size_t>(s.far_links);
    }
    most.links = std::max(most.links, links);
    most.buffers = std::max(most.buffers, far_links);
  }
  most.other_bytes = static_cast<std::size_t>(pes) * sizeof(std::uint16_t);
  return most;
}

}  // namespace

setting_traffic traffic_of(const plan_request& wish, const conveyor_options& options) {
  const int pes = pes_of(wish);
  const bool synchronous =
      options.kind == conveyor_kind::simple || options.kind == conveyor_kind::twohop;
  const int hops = options.kind == conveyor_kind::simple   ? 1
                   : options.kind == conveyor_kind::twohop ? 2
                                                           : options.hops;
  const tagged_route path = options.way
                                ? options.way->function().tagged()
                                : path_in_groups(hops, pes, std::max(options.local_group, 1));
  if (path.is_by_table()) {
    setting_traffic t = routed_traffic(wish, *options.way).all();
    t.cost = cost_by_table(t, path.hops(), pes);
    return t;
  }
  setting_traffic t = grouped_traffic(wish, path, synchronous).all();
  t.cost = cost_of(node_layout::spread(pes, wish.nodes), path, {.buffers_per_link = 0});
  return t;
}

}  // namespace boxcar::detail
