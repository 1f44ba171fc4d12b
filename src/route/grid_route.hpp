// The N-dimensional grid; with 1 or 2 dimensions also the routes of one and two hops
// (tram-thesis-2014, section 3.3).
//
// A hop makes the last differing coordinate agree with the coordinate of the destination: stage 0
// is the last dimension. If the last slab is incomplete, the stop may hold no PE. Hence items that
// go from the edge of the grid inwards make the first differing coordinate agree first, on a
// separate stage before all others. After the separate stage, or if the item goes outwards, every
// stop has a number below the number of the source or the destination, and hence exists. The number
// of hops is the same.
#pragma once

#include <string>

#include "route/grid.hpp"
#include "route/route_function.hpp"

namespace boxcar::detail {

class grid_route final : public route_function {
 public:
  grid_route(const char* name, int pes, const grid_sizes& sizes);

  [[nodiscard]] int pes() const override { return grid_.pes(); }
  [[nodiscard]] int stages() const override { return inward_stages_ + grid_.dimensions(); }
  [[nodiscard]] hop next(int at, int to) const override;
  [[nodiscard]] std::vector<hop> links(int pe) const override;
  [[nodiscard]] std::vector<hop> links_from_others(int pe) const override;
  [[nodiscard]] broadcast_step broadcast(int at, int arrived_on) const override;
  [[nodiscard]] tagged_route tagged() const override;
  [[nodiscard]] std::string describe() const override;

 private:
  // Returns whether `pe` agrees with the last PE in the dimensions 0 to d. Places that differ from
  // `pe` only behind dimension d may then hold no PE.
  [[nodiscard]] bool on_edge(int pe, int d) const;
  [[nodiscard]] int stage_of(int d) const { return inward_stages_ + grid_.dimensions() - 1 - d; }
  // Returns the stage from `at` to the PE that differs only in coordinate d.
  [[nodiscard]] int stage_between(int at, int d, int coordinate_there) const;
  [[nodiscard]] bool goes_inwards(int at, int d, int coordinate_there) const {
    return inward_stages_ != 0 && coordinate_there < grid_.coordinate(at, d) && on_edge(at, d);
  }

  std::string name_;
  grid_sizes asked_;
  grid grid_;  // without dimensions of size 1
  int inward_stages_;
};

}  // namespace boxcar::detail
