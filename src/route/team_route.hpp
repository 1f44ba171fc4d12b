// Node-aware teams (tram-thesis-2014, section 5.2, Algorithm 1).
//
// An item that must go along dimension i is handed to the PE of team i with the same number, unless
// the item is already with team i. The PE sends the item along the dimension, to the next team.
// Hence each dimension has two stages: to the team, and along the dimension.
#pragma once

#include <string>

#include "route/route_function.hpp"
#include "route/team_grid.hpp"

namespace boxcar::detail {

class team_route final : public route_function {
 public:
  team_route(int pes, const grid_sizes& sizes) : grid_(pes, sizes) {}

  [[nodiscard]] int pes() const override { return grid_.places().pes(); }
  [[nodiscard]] int stages() const override { return 2 * grid_.dimensions(); }
  [[nodiscard]] hop next(int at, int to) const override;
  [[nodiscard]] std::vector<hop> links(int pe) const override;
  [[nodiscard]] std::vector<hop> links_from_others(int pe) const override;
  [[nodiscard]] broadcast_step broadcast(int at, int arrived_on) const override;
  [[nodiscard]] std::string describe() const override;

 private:
  [[nodiscard]] int to_team(int i) const { return 2 * grid_.turn_of(i); }
  [[nodiscard]] int along(int i) const { return 2 * grid_.turn_of(i) + 1; }
  // Returns the PE where an item from `at`, of team i, arrives along dimension i < N-1.
  [[nodiscard]] int landing(int at, int i, int coordinate_there) const;
  // Returns the links of a PE of team i along dimension i.
  [[nodiscard]] std::vector<hop> links_along(int at, int i) const;

  team_grid grid_;
};

}  // namespace boxcar::detail
