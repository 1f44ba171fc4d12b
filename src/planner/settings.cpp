#include "planner/settings.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <variant>

#include <boxcar/grid_sizes.hpp>
#include <boxcar/route.hpp>

#include "grid/factorisations.hpp"
#include "grid/torus_sizes.hpp"
#include "model/buffer_size.hpp"
#include "route/tagged_route.hpp"

namespace boxcar::detail {
namespace {

// The largest number of PEs that the tags of conveyors along a table can hold.
constexpr int most_by_table = 65536;

class enumeration {
 public:
  enumeration(const plan_request& wish, const simulated_network& network)
      : pes_(wish.nodes * wish.pes_per_node),
        nodes_(wish.nodes),
        per_node_(wish.pes_per_node),
        network_(network) {}

  std::vector<planned_way> all() {
    add({.kind = conveyor_kind::tensor, .hops = 1});
    add({.kind = conveyor_kind::simple});
    for (const int hops : {2, 3}) {
      for (const int group : groups(hops)) {
        add({.kind = conveyor_kind::tensor, .hops = hops, .local_group = group});
        if (hops == 2) add({.kind = conveyor_kind::twohop, .local_group = group});
      }
    }
    if (pes_ > most_by_table) return std::move(all_);
    add_grids();
    add_teams();
    return std::move(all_);
  }

 private:
  void add(const conveyor_options& options) { all_.push_back({options, {}}); }

  // Returns the group sizes whose number of links is at most `many` times the smallest number.
  // Groups lie within nodes or consist of whole nodes: with other groups some PEs, adapters and
  // links have far more work.
  [[nodiscard]] std::vector<int> groups(int hops) const {
    constexpr double many = 4;
    const auto links = [&](int group) {
      const double n = pes_;
      const double g = group;
      return hops == 2 ? g + n / g : 2 * g + std::ceil(n / (g * g));
    };
    std::vector<int> possible = divisors(pes_);
    std::erase_if(possible, [&](int g) {
      const bool is_across = per_node_ % g != 0 && g % per_node_ != 0;
      return g == 1 || g == pes_ || is_across || (hops == 3 && g > largest_tensor_group);
    });
    double least = 0;
    for (const int g : possible) least = least == 0 ? links(g) : std::min(least, links(g));
    std::erase_if(possible, [&](int g) { return g != per_node_ && links(g) > many * least; });
    return possible;
  }

  static std::string in_code(const grid_sizes& sizes) {
    std::string text;
    for (const int size : sizes) text += (text.empty() ? "" : ", ") + std::to_string(size);
    return "{" + text + "}";
  }

  void add_route(const char* name, const grid_sizes& sizes,
                 route (*make)(int pes, const grid_sizes& sizes)) {
    add({.kind = conveyor_kind::tensor, .way = make(pes_, sizes)});
    all_.back().route_code =
        std::string("route::") + name + "(" + std::to_string(pes_) + ", " + in_code(sizes) + ")";
  }

  [[nodiscard]] bool is_complete(const grid_sizes& sizes) const {
    std::int64_t places = 1;
    for (const int size : sizes) places *= size;
    return places == pes_ && std::ranges::find(sizes, 1) == sizes.end();
  }

  // The function adds grids of three dimensions and more (grids of two dimensions are matrices),
  // and on a torus the grids along which no packet takes a longer path.
  void add_grids() {
    constexpr int most = 4;
    std::set<grid_sizes> grids;
    for (int dimensions = 3; dimensions <= most; ++dimensions) {
      grids.insert(balanced_grid(pes_, dimensions, per_node_));
      grids.insert(balanced_grid(pes_, dimensions));
    }
    if (const auto* t = std::get_if<torus>(&network_.topology)) {
      for (const grid_sizes& sizes : minimal_grids(sizes_of(*t), per_node_)) {
        const auto dimensions = static_cast<int>(sizes.size());
        if (dimensions >= 2 && dimensions <= most) grids.insert(sizes);
      }
    }
    for (const grid_sizes& sizes : grids) {
      if (is_complete(sizes)) add_route("grid", sizes, route::grid);
    }
  }

  // Returns the sizes in the order of a grid: the last dimension is the dimension along which nodes
  // follow one another.
  [[nodiscard]] grid_sizes sizes_of(const torus& t) const {
    grid_sizes sizes = torus_sizes(t, nodes_);
    std::ranges::reverse(sizes);
    return sizes;
  }

  void add_teams() {
    if (nodes_ < 2) return;
    for (const int dimensions : {2, 3}) {
      if (per_node_ < dimensions) continue;
      grid_sizes sizes = balanced_grid(nodes_, dimensions - 1);
      sizes.push_back(per_node_);
      if (!is_complete(sizes)) continue;
      add_route("teams", sizes, route::teams);
      add_route("specialised_teams", sizes, route::specialised_teams);
    }
  }

  int pes_;
  int nodes_;
  int per_node_;
  const simulated_network& network_;
  std::vector<planned_way> all_;
};

}  // namespace

std::vector<planned_way> ways_of(const plan_request& wish, const simulated_network& network) {
  return enumeration(wish, network).all();
}

std::vector<std::size_t> buffer_sizes_of(const plan_request& wish) {
  constexpr std::size_t most = std::size_t{1} << 20;
  std::vector<std::size_t> sizes;
  for (std::size_t bytes = std::bit_ceil(std::max<std::size_t>(64, wish.item_bytes));
       bytes <= std::max(most, 4 * wish.item_bytes); bytes *= 2) {
    sizes.push_back(bytes);
  }
  return sizes;
}

}  // namespace boxcar::detail
