// A grid whose last dimension is the PEs of a node, with a team of the node's PEs for each
// dimension (tram-thesis-2014, section 5.2): team i, the PEs with local ranks i*T to (i+1)*T - 1,
// sends along dimension i. If the size of the node is not a multiple of the number of dimensions,
// the left-over PEs are in no team; they are numbered as a team behind the last team.
//
// Items go along the dimensions N-2, ..., 0 from node to node, and then along N-1, within the last
// node.
#pragma once

#include <string>

#include "route/grid.hpp"

namespace boxcar::detail {

class team_grid {
 public:
  // Throws argument_error, with sizes that would work, unless the sizes have `pes` places and every
  // team has a PE.
  team_grid(int pes, const grid_sizes& sizes);

  [[nodiscard]] const grid& places() const { return grid_; }
  [[nodiscard]] int dimensions() const { return grid_.dimensions(); }
  [[nodiscard]] int last() const { return grid_.dimensions() - 1; }
  [[nodiscard]] int pes_per_node() const { return grid_.size(last()); }

  [[nodiscard]] int team_size() const { return team_size_; }
  [[nodiscard]] int local(int pe) const { return pe % pes_per_node(); }
  [[nodiscard]] int team_of(int pe) const { return local(pe) / team_size_; }
  // Returns the number of a PE within its team.
  [[nodiscard]] int member(int pe) const { return local(pe) % team_size_; }

  // Returns the PE of the same node with the same number within team i.
  [[nodiscard]] int counterpart(int pe, int i) const { return pe + (i - team_of(pe)) * team_size_; }
  // Returns the dimension of an item's next hop.
  [[nodiscard]] int needed(int at, int to) const {
    const int d = grid_.last_difference(at, to, last() - 1);
    return d < 0 ? last() : d;
  }
  // Returns the team where items along dimension i < N-1 arrive: the team that sends the items on.
  [[nodiscard]] int landing_team(int i) const { return i == 0 ? last() : i - 1; }
  // Return the position of dimension i in the order of an item's hops, and the inverse.
  [[nodiscard]] int turn_of(int i) const { return i == last() ? last() : last() - 1 - i; }
  [[nodiscard]] int dimension_at(int turn) const { return turn_of(turn); }

 private:
  grid grid_;
  int team_size_;
};

}  // namespace boxcar::detail
