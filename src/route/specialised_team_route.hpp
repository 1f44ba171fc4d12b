// Node-aware teams with specialised PEs (tram-thesis-2014, section 5.3, Algorithms 2 to 4).
//
// The coordinates along dimension i are split into successive blocks, a block for each member of
// team i; the first blocks are longer by one if the size of the team does not divide. A member
// sends only to its own block, hence an item is first handed to the right member. The item arrives
// at the member of the next team whose number is the number of the block with the sender's
// coordinate, which spreads arrivals over the team. Each dimension has three stages: to the team,
// to the member, along the dimension.
#pragma once

#include <string>

#include "route/route_function.hpp"
#include "route/team_grid.hpp"

namespace boxcar::detail {

class specialised_team_route final : public route_function {
 public:
  specialised_team_route(int pes, const grid_sizes& sizes) : grid_(pes, sizes) {}

  [[nodiscard]] int pes() const override { return grid_.places().pes(); }
  [[nodiscard]] int stages() const override { return 3 * grid_.dimensions(); }
  [[nodiscard]] hop next(int at, int to) const override;
  [[nodiscard]] std::vector<hop> links(int pe) const override;
  [[nodiscard]] std::vector<hop> links_from_others(int pe) const override;
  [[nodiscard]] broadcast_step broadcast(int at, int arrived_on) const override;
  [[nodiscard]] std::string describe() const override;

 private:
  [[nodiscard]] int to_team(int i) const { return 3 * grid_.turn_of(i); }
  [[nodiscard]] int to_member(int i) const { return to_team(i) + 1; }
  [[nodiscard]] int along(int i) const { return to_team(i) + 2; }

  // Returns the member of team i whose block contains the coordinate (Algorithm 3; also used for
  // the offset of Algorithm 2).
  [[nodiscard]] int member_for(int i, int coordinate) const;
  // The coordinates of a member: [begin, end).
  struct block {
    int begin;
    int end;
  };
  [[nodiscard]] block block_of(int i, int member) const;
  // Returns whether items go from the node to a coordinate in the block of a member of team i.
  [[nodiscard]] bool sends_from(int node_mate, int i, int member) const;
  [[nodiscard]] int landing(int at, int i, int coordinate_there) const;
  // The links of a PE of team i to the other members, and along dimension i.
  [[nodiscard]] std::vector<hop> links_to_members(int at, int i) const;
  [[nodiscard]] std::vector<hop> links_along(int at, int i) const;

  team_grid grid_;
};

}  // namespace boxcar::detail
