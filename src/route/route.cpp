// The handle `route`: constructs the routes, checks arguments, and calls the route_function.
#include <algorithm>
#include <ostream>
#include <tuple>
#include <utility>

#include <boxcar/error.hpp>
#include <boxcar/route.hpp>

#include "route/grid_route.hpp"
#include "route/group.hpp"
#include "route/route_function.hpp"
#include "route/specialised_team_route.hpp"
#include "route/team_route.hpp"
#include "route/tensor_route.hpp"

namespace boxcar {

namespace detail {

void sort_links(std::vector<hop>& links) {
  std::sort(links.begin(), links.end(), [](const hop& a, const hop& b) {
    return std::tie(a.stage, a.pe) < std::tie(b.stage, b.pe);
  });
}

}  // namespace detail

route::route(std::shared_ptr<const detail::route_function> function)
    : function_(std::move(function)) {}

route route::direct(int pes) {
  return route(std::make_shared<detail::grid_route>("direct", pes, grid_sizes{pes}));
}

route route::matrix(int pes, int group) {
  detail::require_group(pes, group);
  return route(std::make_shared<detail::grid_route>("matrix", pes, grid_sizes{pes / group, group}));
}

route route::tensor(int pes, int group) {
  return route(std::make_shared<detail::tensor_route>(pes, group));
}

route route::grid(int pes, const grid_sizes& sizes) {
  return route(std::make_shared<detail::grid_route>("grid", pes, sizes));
}

route route::balanced(int pes, int dimensions, int pes_per_node) {
  grid_sizes sizes = balanced_grid(pes, dimensions, pes_per_node);
  sizes[0] = 0;  // the last slab may be incomplete
  return grid(pes, sizes);
}

route route::teams(int pes, const grid_sizes& sizes) {
  return route(std::make_shared<detail::team_route>(pes, sizes));
}

route route::specialised_teams(int pes, const grid_sizes& sizes) {
  return route(std::make_shared<detail::specialised_team_route>(pes, sizes));
}

void route::check(int pe) const {
  if (pe >= 0 && pe < pes()) return;
  throw argument_error("a route for " + std::to_string(pes()) + " PEs has no PE " +
                       std::to_string(pe) + ": give a number from 0 to " +
                       std::to_string(pes() - 1));
}

int route::pes() const {
  return function_->pes();
}

int route::stages() const {
  return function_->stages();
}

hop route::next(int at, int to) const {
  check(at);
  check(to);
  if (at == to) return {to, stages() - 1};
  return function_->next(at, to);
}

int route::hops(int from, int to) const {
  check(from);
  int count = 0;
  for (int at = from; at != to; ++count) at = next(at, to).pe;
  return count;
}

std::vector<hop> route::links(int pe) const {
  check(pe);
  return function_->links(pe);
}

std::vector<hop> route::links_from_others(int pe) const {
  check(pe);
  return function_->links_from_others(pe);
}

broadcast_step route::broadcast(int at, int arrived_on) const {
  check(at);
  return function_->broadcast(at, arrived_on);
}

std::string route::describe() const {
  const std::size_t links_of_first = links(0).size();
  const auto counted = [](auto n, const char* what) {
    return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
  };
  return function_->describe() + ": " + counted(pes(), "PE") + ", " + counted(stages(), "stage") +
         ", " + counted(links_of_first, "link") + " of PE 0";
}

std::ostream& operator<<(std::ostream& out, const route& r) {
  return out << r.describe();
}

}  // namespace boxcar
