#include "route/grid_route.hpp"

#include <algorithm>

namespace boxcar::detail {
namespace {

// Removes dimensions of size 1, which no item uses, so that the last stage is in use.
grid_sizes without_ones(grid_sizes sizes) {
  std::erase(sizes, 1);
  if (sizes.empty()) sizes.push_back(1);
  return sizes;
}

grid reduced(const grid& g) {
  grid_sizes sizes = without_ones(g.sizes());
  if (!g.complete()) sizes[0] = 0;  // the first size is more than 1, and hence still the first
  return {g.pes(), sizes};
}

}  // namespace

grid_route::grid_route(const char* name, int pes, const grid_sizes& sizes)
    : name_(name),
      asked_(grid(pes, sizes).sizes()),
      grid_(reduced(grid(pes, sizes))),
      inward_stages_(grid_.complete() ? 0 : 1) {}

bool grid_route::on_edge(int pe, int d) const {
  const int last = grid_.pes() - 1;
  return grid_.last_difference(pe, last, d) < 0;
}

int grid_route::stage_between(int at, int d, int coordinate_there) const {
  return goes_inwards(at, d, coordinate_there) ? 0 : stage_of(d);
}

hop grid_route::next(int at, int to) const {
  if (inward_stages_ != 0) {
    const int first = grid_.first_difference(at, to);
    const int there = grid_.coordinate(to, first);
    if (goes_inwards(at, first, there)) return {grid_.moved(at, first, there), 0};
  }
  const int d = grid_.last_difference(at, to, grid_.dimensions() - 1);
  return {grid_.moved(at, d, grid_.coordinate(to, d)), stage_of(d)};
}

std::vector<hop> grid_route::links(int pe) const {
  std::vector<hop> all;
  for (int d = 0; d < grid_.dimensions(); ++d) {
    for (int c = 0; c < grid_.size(d); ++c) {
      const int other = grid_.moved(pe, d, c);
      if (other != pe && other < pes()) all.push_back({other, stage_between(pe, d, c)});
    }
  }
  sort_links(all);
  return all;
}

std::vector<hop> grid_route::links_from_others(int pe) const {
  std::vector<hop> all;
  for (int d = 0; d < grid_.dimensions(); ++d) {
    const int here = grid_.coordinate(pe, d);
    for (int c = 0; c < grid_.size(d); ++c) {
      const int other = grid_.moved(pe, d, c);
      if (other != pe && other < pes()) all.push_back({other, stage_between(other, d, here)});
    }
  }
  sort_links(all);
  return all;
}

// Sends along each dimension in turn to all coordinates: a PE that was reached along a dimension
// continues along the dimensions of later stages.
broadcast_step grid_route::broadcast(int at, int arrived_on) const {
  broadcast_step step{{}, true};
  if (arrived_on == route::source && inward_stages_ != 0 && on_edge(at, 0)) {
    // The last slab does not reach all places of the other slabs: the first slab broadcasts for the
    // PE.
    return {{{grid_.moved(at, 0, 0), 0}}, false};
  }
  const int first = std::max(arrived_on + 1, inward_stages_);
  for (const hop& link : links(at)) {
    if (link.stage >= first) step.onward.push_back(link);
  }
  return step;
}

tagged_route grid_route::tagged() const {
  if (grid_.dimensions() == 1) return tagged_route::direct(pes());
  if (grid_.dimensions() == 2 && grid_.complete()) {
    return tagged_route::matrix(pes(), grid_.size(1));
  }
  return route_function::tagged();
}

std::string grid_route::describe() const {
  std::string text = name_ + " " + to_text(asked_);
  if (!grid_.complete()) text += " with an incomplete last slab";
  return text;
}

}  // namespace boxcar::detail
