// The route of conveyors of three hops (conveyors-2019, section 4.3), for items that may skip hops.
// With n PEs per group, PE r = n*n*x + n*y + z; from (x,y,z) to (x',y',z') by way of (x,y,y') and
// (x',y',y). Within its group an item goes directly to its destination.
#pragma once

#include <string>

#include "route/route_function.hpp"

namespace boxcar::detail {

class tensor_route final : public route_function {
 public:
  tensor_route(int pes, int group);

  [[nodiscard]] int pes() const override { return pes_; }
  [[nodiscard]] int stages() const override { return 3; }
  [[nodiscard]] hop next(int at, int to) const override;
  [[nodiscard]] std::vector<hop> links(int pe) const override;
  [[nodiscard]] std::vector<hop> links_from_others(int pe) const override;
  [[nodiscard]] broadcast_step broadcast(int at, int arrived_on) const override;
  [[nodiscard]] tagged_route tagged() const override { return tagged_route::tensor(pes_, group_); }
  [[nodiscard]] std::string describe() const override;

 private:
  struct place {
    int x, y, z;
  };
  [[nodiscard]] place place_of(int pe) const {
    return {pe / (group_ * group_), pe / group_ % group_, pe % group_};
  }
  [[nodiscard]] int pe_at(const place& p) const { return (p.x * group_ + p.y) * group_ + p.z; }
  // Returns whether there are groups with `y` as their second coordinate.
  [[nodiscard]] bool has_groups(int y) const { return y < pes_ / group_; }

  int pes_;
  int group_;
};

}  // namespace boxcar::detail
