#include "route/specialised_team_route.hpp"

#include <algorithm>

namespace boxcar::detail {

int specialised_team_route::member_for(int i, int coordinate) const {
  const int small = grid_.places().size(i) / grid_.team_size();
  const int larger_blocks = grid_.places().size(i) % grid_.team_size();
  const int in_larger = larger_blocks * (small + 1);
  if (coordinate < in_larger) return coordinate / (small + 1);
  return larger_blocks + (coordinate - in_larger) / small;
}

specialised_team_route::block specialised_team_route::block_of(int i, int member) const {
  const int size = grid_.places().size(i);
  const auto begin = [small = size / grid_.team_size(), larger = size % grid_.team_size()](int m) {
    return m * small + std::min(m, larger);
  };
  return {begin(member), begin(member + 1)};
}

bool specialised_team_route::sends_from(int node_mate, int i, int member) const {
  // Between nodes no item goes to its own coordinate.
  const bool skips =
      i != grid_.last() && member_for(i, grid_.places().coordinate(node_mate, i)) == member;
  const block all = block_of(i, member);
  return all.end - all.begin > (skips ? 1 : 0);
}

int specialised_team_route::landing(int at, int i, int coordinate_there) const {
  const int there =
      grid_.counterpart(grid_.places().moved(at, i, coordinate_there), grid_.landing_team(i));
  return there + member_for(i, grid_.places().coordinate(at, i)) - grid_.member(at);
}

hop specialised_team_route::next(int at, int to) const {
  const int i = grid_.needed(at, to);
  if (grid_.team_of(at) != i) return {grid_.counterpart(at, i), to_team(i)};
  const int coordinate = grid_.places().coordinate(to, i);
  const int member = member_for(i, coordinate);
  if (member != grid_.member(at)) return {at + member - grid_.member(at), to_member(i)};
  return {i == grid_.last() ? to : landing(at, i, coordinate), along(i)};
}

std::vector<hop> specialised_team_route::links_to_members(int at, int i) const {
  std::vector<hop> all;
  for (int m = 0; m < grid_.team_size(); ++m) {
    if (m != grid_.member(at) && sends_from(at, i, m)) {
      all.push_back({at + m - grid_.member(at), to_member(i)});
    }
  }
  return all;
}

std::vector<hop> specialised_team_route::links_along(int at, int i) const {
  const grid& places = grid_.places();
  std::vector<hop> all;
  const block own = block_of(i, grid_.member(at));
  for (int c = own.begin; c < own.end; ++c) {
    if (c == places.coordinate(at, i)) continue;
    all.push_back({i == grid_.last() ? places.moved(at, i, c) : landing(at, i, c), along(i)});
  }
  return all;
}

std::vector<hop> specialised_team_route::links(int pe) const {
  const int own = grid_.team_of(pe);
  std::vector<hop> all;
  for (int i = 0; i < grid_.dimensions(); ++i) {
    if (i != own) all.push_back({grid_.counterpart(pe, i), to_team(i)});
  }
  if (own < grid_.dimensions()) {
    for (const hop& link : links_to_members(pe, own)) all.push_back(link);
    for (const hop& link : links_along(pe, own)) all.push_back(link);
  }
  sort_links(all);
  return all;
}

// Like team_route::links_from_others; but a member sends only to its own block, and items along a
// dimension arrive at the member for the sender's coordinate.
std::vector<hop> specialised_team_route::links_from_others(int pe) const {
  const grid& places = grid_.places();
  const int own = grid_.team_of(pe);
  const int node = pe - grid_.local(pe);
  std::vector<hop> all;
  if (own < grid_.dimensions()) {
    for (int team = 0; team * grid_.team_size() + grid_.member(pe) < grid_.pes_per_node(); ++team) {
      if (team != own) all.push_back({grid_.counterpart(pe, team), to_team(own)});
    }
    for (int m = 0; m < grid_.team_size(); ++m) {
      if (m != grid_.member(pe) && sends_from(pe, own, grid_.member(pe))) {
        all.push_back({pe + m - grid_.member(pe), to_member(own)});
      }
    }
  }
  for (int i = 0; i < grid_.dimensions(); ++i) {
    const int team = node + i * grid_.team_size();
    const int here = places.coordinate(pe, i);
    if (i == grid_.last()) {
      const int sender = team + member_for(i, here);
      if (sender != pe) all.push_back({sender, along(i)});
    } else if (own == grid_.landing_team(i)) {
      const int sender = team + member_for(i, here);  // except for its coordinate along i
      const block senders = block_of(i, grid_.member(pe));
      for (int c = senders.begin; c < senders.end; ++c) {
        if (c != here) all.push_back({places.moved(sender, i, c), along(i)});
      }
    }
  }
  sort_links(all);
  return all;
}

// Like team_route::broadcast; but members that get the item from a team mate only send to their own
// blocks, and the PE that handed over the item continues.
broadcast_step specialised_team_route::broadcast(int at, int arrived_on) const {
  broadcast_step step{{}, false};
  const auto add = [&step](const std::vector<hop>& links) {
    step.onward.insert(step.onward.end(), links.begin(), links.end());
  };
  const int last = grid_.last();
  const auto is_mine = [&] { return member_for(last, grid_.local(at)) == grid_.member(at); };
  if (arrived_on >= 0 && arrived_on % 3 == 1) {
    const int i = grid_.dimension_at(arrived_on / 3);
    add(links_along(at, i));
    step.here = i == last && is_mine();
    return step;
  }
  step.here = arrived_on == stages() - 1;
  for (int turn = (arrived_on + 1) / 3; turn < grid_.dimensions(); ++turn) {
    const int i = grid_.dimension_at(turn);
    if (grid_.team_of(at) != i) {
      add({{grid_.counterpart(at, i), to_team(i)}});
      break;
    }
    add(links_to_members(at, i));
    add(links_along(at, i));
    if (i == last) step.here = is_mine();
  }
  return step;
}

std::string specialised_team_route::describe() const {
  return "node-aware teams with specialised PEs on " + to_text(grid_.places().sizes());
}

}  // namespace boxcar::detail
