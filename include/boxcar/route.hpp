// A route gives the stops of an item on the way from one PE to another, by pure functions. Any
// route can drive a stream, and any asynchronous conveyor. docs/routes.md explains the choice of a
// route.
//
// A route has *stages*, numbered from 0. Every hop belongs to a stage, and the hops of an item
// belong to ascending stages, so that buffers of a late stage never wait for buffers of an early
// stage: no route can deadlock, and a session can end stage by stage. An item makes at most one hop
// on a stage, and none on a stage where the item has nothing to do.
//
// The functions are local, and cheap but not made to be called for every item. They throw
// argument_error if the PE does not exist.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include <boxcar/grid_sizes.hpp>

namespace boxcar {

namespace detail {
class route_function;
}

// A single transfer of an item: the PE at the other end, and the stage of the hop.
struct hop {
  int pe;
  int stage;
  friend bool operator==(const hop&, const hop&) = default;
};

// The actions of a PE for an item to all PEs.
struct broadcast_step {
  std::vector<hop> onward;  // the hops with a copy each
  bool here;                // whether a copy is for the PE itself
};

class route {
 public:
  // --- The family -------------------------------------------------------------------------------
  // The functions throw argument_error, with numbers that would work, if the numbers do not fit
  // together.

  // Returns the route with one hop from any PE to any other.
  static route direct(int pes);
  // Returns the route of conveyors with two hops (conveyors-2019, section 4.2): within the group of
  // `group` successive PEs, then between the groups. `group` divides `pes`.
  static route matrix(int pes, int group);
  // Returns the route of conveyors with three hops (conveyors-2019, section 4.3): within the group,
  // between groups, within the group of the destination. `group` divides `pes`.
  static route tensor(int pes, int group);
  // Returns the route over an N-dimensional grid (tram-thesis-2014, section 3.3). PE r has
  // coordinates, and the last coordinate runs fastest; a hop makes one coordinate agree with the
  // destination's, the last differing coordinate first. `sizes` has 1 to 8 sizes with product
  // `pes`. If the first size is 0, it is chosen, and the last slab may be incomplete: the number of
  // hops is unchanged, and no stop is missing.
  static route grid(int pes, const grid_sizes& sizes);
  // Returns the route over the grid of `dimensions` dimensions with few links, with the node as the
  // last dimension; see balanced_grid.
  static route balanced(int pes, int dimensions, int pes_per_node = 1);
  // Returns the route with node-aware teams (tram-thesis-2014, section 5.2, Algorithm 1). The last
  // dimension is the PEs of a node; the PEs of a node form one team for each dimension, and only
  // the team of a dimension sends along the dimension. The last size is at least the number of
  // dimensions.
  static route teams(int pes, const grid_sizes& sizes);
  // Returns the route with node-aware teams of specialised PEs (section 5.3, Algorithms 2 to 4):
  // each PE sends to its share of the coordinates only, so that no two PEs of a node fill buffers
  // for the same destination.
  static route specialised_teams(int pes, const grid_sizes& sizes);

  // --- Queries ----------------------------------------------------------------------------------
  [[nodiscard]] int pes() const;
  [[nodiscard]] int stages() const;  // at least 1

  // Returns the next hop of an item for `to` at the PE `at`. If `at` is `to`: the PE itself, and
  // the last stage.
  [[nodiscard]] hop next(int at, int to) const;
  // Returns how many hops an item makes. 0 from a PE to itself.
  [[nodiscard]] int hops(int from, int to) const;

  // Return the hops that lead away from a PE, and the hops that end at a PE, by stage and then by
  // PE. A PE that is linked with another PE on two stages has two links with the other PE.
  [[nodiscard]] std::vector<hop> links(int pe) const;
  [[nodiscard]] std::vector<hop> links_from_others(int pe) const;

  // A broadcast delivers an item to every PE exactly once, over links of the route. Returns the
  // actions of the PE `at`, if the item comes from the PE (`source`), or has arrived on the stage
  // `arrived_on`.
  static constexpr int source = -1;
  [[nodiscard]] broadcast_step broadcast(int at, int arrived_on) const;

  // Returns one line of text: the kind of the route, the number of stages and links.
  [[nodiscard]] std::string describe() const;

  // The functions are for higher layers of the library.
  explicit route(std::shared_ptr<const detail::route_function> function);
  [[nodiscard]] const detail::route_function& function() const { return *function_; }

 private:
  void check(int pe) const;

  std::shared_ptr<const detail::route_function> function_;
};

std::ostream& operator<<(std::ostream& out, const route& r);

}  // namespace boxcar
