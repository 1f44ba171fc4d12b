// The N-dimensional grid, and with it the routes of one hop and of two (tram-thesis-2014,
// section 3.3).
//
// A hop makes the last differing coordinate agree with that of the destination: stage 0 is the last
// dimension. If the last slab is incomplete, the stop may be missing. Then, and only for items that
// go from the edge of the grid inwards, the first differing coordinate is made to agree first, on a
// stage of its own before all others: behind that, or if the item goes outwards, every stop on the
// way has a number below that of one of its ends, so it is there. The hops are as many.
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
  // Every PE with these coordinates but those behind dimension d may be missing others.
  [[nodiscard]] bool on_edge(int pe, int d) const;
  [[nodiscard]] int stage_of(int d) const { return inward_stages_ + grid_.dimensions() - 1 - d; }
  // The stage on which items go from `at` to the PE that differs in coordinate d only.
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
