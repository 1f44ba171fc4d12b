#include "route/tensor_route.hpp"

#include "route/group.hpp"

namespace boxcar::detail {

tensor_route::tensor_route(int pes, int group) : pes_(pes), group_(group) {
  require_group(pes, group);
}

hop tensor_route::next(int at, int to) const {
  if (at / group_ == to / group_) return {to, 2};
  const place here = place_of(at);
  const place there = place_of(to);
  if (here.z != there.y) return {pe_at({here.x, here.y, there.y}), 0};
  return {pe_at({there.x, there.y, here.y}), 1};
}

std::vector<hop> tensor_route::links(int pe) const {
  const place here = place_of(pe);
  std::vector<hop> all;
  for (int z = 0; z < group_; ++z) {
    if (z != here.z && has_groups(z)) all.push_back({pe_at({here.x, here.y, z}), 0});
  }
  for (int other = pe_at({0, here.z, here.y}); other < pes_; other += group_ * group_) {
    if (other / group_ != pe / group_) all.push_back({other, 1});
  }
  for (int z = 0; z < group_; ++z) {
    if (z != here.z) all.push_back({pe_at({here.x, here.y, z}), 2});
  }
  return all;
}

std::vector<hop> tensor_route::links_from_others(int pe) const {
  std::vector<hop> all = links(pe);
  // On the first stage PEs send to PEs whose number within the group is the number of a group.
  std::erase_if(all, [](const hop& link) { return link.stage == 0; });
  const place here = place_of(pe);
  for (int z = 0; z < group_ && has_groups(here.z); ++z) {
    if (z != here.z) all.push_back({pe_at({here.x, here.y, z}), 0});
  }
  sort_links(all);
  return all;
}

broadcast_step tensor_route::broadcast(int at, int arrived_on) const {
  const place here = place_of(at);
  broadcast_step step{{}, false};
  // A PE of every other group gets the item from the only PE of the source's group with links to
  // the group. In the source's group, the PE with links to itself acts for the group.
  const bool in_its_group = arrived_on == 1 || here.y == here.z;
  for (const hop& link : links(at)) {
    if (link.stage <= arrived_on) continue;
    if (link.stage == 2 && !in_its_group) continue;
    step.onward.push_back(link);
  }
  step.here = in_its_group || arrived_on == 2;
  return step;
}

std::string tensor_route::describe() const {
  return "tensor in groups of " + std::to_string(group_);
}

}  // namespace boxcar::detail
