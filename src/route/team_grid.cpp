#include "route/team_grid.hpp"

#include <boxcar/error.hpp>

namespace boxcar::detail {

team_grid::team_grid(int pes, const grid_sizes& sizes)
    : grid_(pes, sizes), team_size_(pes_per_node() / grid_.dimensions()) {
  if (!grid_.complete()) {
    throw argument_error("node-aware teams need complete nodes and slabs: " +
                         to_text(grid_.sizes()) + " has more places than the world's " +
                         std::to_string(pes) + " PEs; give sizes whose product that is");
  }
  if (team_size_ == 0) {
    throw argument_error("node-aware teams on " + to_text(grid_.sizes()) + ": the " +
                         std::to_string(pes_per_node()) + " PEs of a node cannot form " +
                         std::to_string(grid_.dimensions()) +
                         " teams; give fewer dimensions, or a last one of at least that size");
  }
}

}  // namespace boxcar::detail
