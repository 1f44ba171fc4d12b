#include "route/team_route.hpp"

namespace boxcar::detail {

int team_route::landing(int at, int i, int coordinate_there) const {
  return grid_.counterpart(grid_.places().moved(at, i, coordinate_there), grid_.landing_team(i));
}

hop team_route::next(int at, int to) const {
  const int i = grid_.needed(at, to);
  if (grid_.team_of(at) != i) return {grid_.counterpart(at, i), to_team(i)};
  if (i == grid_.last()) return {to, along(i)};
  return {landing(at, i, grid_.places().coordinate(to, i)), along(i)};
}

std::vector<hop> team_route::links_along(int at, int i) const {
  const grid& places = grid_.places();
  std::vector<hop> all;
  for (int c = 0; c < places.size(i); ++c) {
    if (c == places.coordinate(at, i)) continue;
    all.push_back({i == grid_.last() ? places.moved(at, i, c) : landing(at, i, c), along(i)});
  }
  return all;
}

std::vector<hop> team_route::links(int pe) const {
  const int own = grid_.team_of(pe);
  std::vector<hop> all;
  for (int i = 0; i < grid_.dimensions(); ++i) {
    if (i != own) all.push_back({grid_.counterpart(pe, i), to_team(i)});
  }
  if (own < grid_.dimensions()) {
    for (const hop& link : links_along(pe, own)) all.push_back(link);
  }
  sort_links(all);
  return all;
}

// To the team of `pe`, members of other teams with the same number have links; along dimension i,
// members of team i with the same number.
std::vector<hop> team_route::links_from_others(int pe) const {
  const grid& places = grid_.places();
  const int own = grid_.team_of(pe);
  std::vector<hop> all;
  if (own < grid_.dimensions()) {
    for (int team = 0; team * grid_.team_size() + grid_.member(pe) < grid_.pes_per_node(); ++team) {
      if (team != own) all.push_back({grid_.counterpart(pe, team), to_team(own)});
    }
  }
  for (int i = 0; i < grid_.dimensions(); ++i) {
    if (i == grid_.last()) {
      for (int member = 0; member < grid_.team_size(); ++member) {
        const int sender = pe - grid_.local(pe) + i * grid_.team_size() + member;
        if (sender != pe) all.push_back({sender, along(i)});
      }
    } else if (own == grid_.landing_team(i)) {
      const int mate = grid_.counterpart(pe, i);
      for (int c = 0; c < places.size(i); ++c) {
        if (c != places.coordinate(pe, i)) all.push_back({places.moved(mate, i, c), along(i)});
      }
    }
  }
  sort_links(all);
  return all;
}

// Sends stage after stage while the PE is in the sending team; then hands the item to the next
// team.
broadcast_step team_route::broadcast(int at, int arrived_on) const {
  broadcast_step step{{}, arrived_on == stages() - 1};
  for (int stage = arrived_on + 1; stage < stages(); ++stage) {
    const int i = grid_.dimension_at(stage / 2);
    if (grid_.team_of(at) != i) {
      step.onward.push_back({grid_.counterpart(at, i), stage});
      break;
    }
    if (stage == to_team(i)) continue;
    for (const hop& link : links_along(at, i)) step.onward.push_back(link);
    step.here = i == grid_.last();
  }
  return step;
}

std::string team_route::describe() const {
  return "node-aware teams on " + to_text(grid_.places().sizes());
}

}  // namespace boxcar::detail
