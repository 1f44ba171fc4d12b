// Routes: pure functions that say over which stops an item gets from one PE to another. Any of them
// can drive a stream, and any asynchronous conveyor. docs/routes.md tells which one to choose.
//
// A route has *stages*, numbered from 0. Every hop belongs to one, and the hops of an item belong
// to ascending ones, so that buffers of a late stage never wait for those of an early one: no route
// can run into a deadlock, and a session can end stage by stage. An item makes at most one hop on a
// stage, and none where it has nothing to do there.
//
// The functions are local, cheap but not made to be called for every item, and throw argument_error
// if there is no such PE.
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

// One transfer of an item: the PE at its other end, and the stage that it belongs to.
struct hop {
  int pe;
  int stage;
  friend bool operator==(const hop&, const hop&) = default;
};

// What a PE does with an item that is for all PEs.
struct broadcast_step {
  std::vector<hop> onward;  // a copy goes over each of these
  bool here;                // and one is for this PE
};

class route {
 public:
  // --- The family -------------------------------------------------------------------------------
  // They throw argument_error, with what would work, if the numbers do not fit together.

  // One hop from any PE to any other.
  static route direct(int pes);
  // Conveyors of two hops (conveyors-2019, section 4.2): within the group of `group` successive
  // PEs, then between the groups. `group` divides `pes`.
  static route matrix(int pes, int group);
  // Conveyors of three hops (conveyors-2019, section 4.3): within the group, between groups, within
  // the group of the destination. `group` divides `pes`.
  static route tensor(int pes, int group);
  // The N-dimensional grid (tram-thesis-2014, section 3.3): PE r has coordinates, of which the last
  // runs fastest; a hop makes one coordinate agree with that of the destination, the last differing
  // one first. 1 to 8 sizes whose product is `pes`; if the first is 0, it is chosen, and the last
  // slab may be incomplete: the hops are as many, and no stop is missing.
  static route grid(int pes, const grid_sizes& sizes);
  // The grid of so many dimensions that has few links, with the node as the last one; see
  // balanced_grid.
  static route balanced(int pes, int dimensions, int pes_per_node = 1);
  // Node-aware teams (tram-thesis-2014, section 5.2, Algorithm 1). The last dimension is the PEs of
  // a node; they form one team for each dimension, and only it sends along that. The last size is
  // at least the number of dimensions.
  static route teams(int pes, const grid_sizes& sizes);
  // The same with specialised PEs (section 5.3, Algorithms 2 to 4): each sends to its share of the
  // coordinates only, so that no two PEs of a node fill buffers for the same place.
  static route specialised_teams(int pes, const grid_sizes& sizes);

  // --- What it says -----------------------------------------------------------------------------
  [[nodiscard]] int pes() const;
  [[nodiscard]] int stages() const;  // at least 1

  // The next hop of an item for `to` that is at `at`. If it is there already: that PE, and the last
  // stage.
  [[nodiscard]] hop next(int at, int to) const;
  // How many hops an item makes. 0 to itself.
  [[nodiscard]] int hops(int from, int to) const;

  // The hops that lead away from a PE, and those that end at it, by stage and then by PE. A PE that
  // is linked with another on two stages has two links with it.
  [[nodiscard]] std::vector<hop> links(int pe) const;
  [[nodiscard]] std::vector<hop> links_from_others(int pe) const;

  // How an item reaches every PE exactly once, over links of this route: what a PE does that it
  // comes from (`source`), or that it has come to on a stage.
  static constexpr int source = -1;
  [[nodiscard]] broadcast_step broadcast(int at, int arrived_on) const;

  // One line: what it is, how many stages and links it has.
  [[nodiscard]] std::string describe() const;

  // For the floors above.
  explicit route(std::shared_ptr<const detail::route_function> function);
  [[nodiscard]] const detail::route_function& function() const { return *function_; }

 private:
  void check(int pe) const;

  std::shared_ptr<const detail::route_function> function_;
};

std::ostream& operator<<(std::ostream& out, const route& r);

}  // namespace boxcar
