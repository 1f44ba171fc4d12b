#include "stream/stream_setup.hpp"

#include <algorithm>
#include <ostream>
#include <utility>

#include "grid/factorisations.hpp"
#include "support/run_simulated.hpp"
#include "support/tier_cases.hpp"

namespace boxcar::test {
namespace {

const char* name_of(route_kind kind) {
  constexpr const char* names[] = {"chosen", "direct", "grid2", "grid3",      "grid4",
                                   "slab",   "tensor", "teams", "specialists"};
  return names[static_cast<int>(kind)];
}

const char* name_of(termination_kind kind) {
  constexpr const char* names[] = {"quiescence", "counting", "staged"};
  return names[static_cast<int>(kind)];
}

// A divisor for groups of a few PEs.
int middle_divisor(int pes) {
  const std::vector<int> all = detail::divisors(pes);
  return all[all.size() / 2];
}

grid_sizes sizes_for_teams(int pes) {
  const int per_node = std::max(middle_divisor(pes), pes == 1 ? 1 : 2);
  if (pes % per_node != 0 || per_node < 2) return {pes};
  if (per_node >= 3 && pes / per_node % 2 == 0) return {pes / per_node / 2, 2, per_node};
  return {pes / per_node, per_node};
}

}  // namespace

const std::vector<route_kind>& all_route_kinds() {
  static const std::vector<route_kind> kinds{
      route_kind::chosen,    route_kind::direct,    route_kind::grid_of_2,
      route_kind::grid_of_3, route_kind::grid_of_4, route_kind::incomplete_grid,
      route_kind::tensor,    route_kind::teams,     route_kind::specialised_teams};
  return kinds;
}

std::optional<route> route_of(route_kind kind, int pes) {
  switch (kind) {
    case route_kind::chosen:
      return std::nullopt;
    case route_kind::direct:
      return route::direct(pes);
    case route_kind::grid_of_2:
      return route::balanced(pes, 2);
    case route_kind::grid_of_3:
      return route::balanced(pes, 3);
    case route_kind::grid_of_4:
      return route::balanced(pes, 4);
    case route_kind::incomplete_grid:
      if (pes == 1) return route::direct(1);
      return pes > 6 ? route::grid(pes, {0, 2, 3}) : route::grid(pes, {0, 2});
    case route_kind::tensor:
      return route::tensor(pes, middle_divisor(pes));
    case route_kind::teams:
      return route::teams(pes, sizes_for_teams(pes));
    case route_kind::specialised_teams:
      return route::specialised_teams(pes, sizes_for_teams(pes));
  }
  return std::nullopt;
}

stream_options stream_setup::options() const {
  return {.way = route_of(route, shape.pes),
          .buffer_bytes = buffer_bytes,
          .buffers_per_link = buffers_per_link};
}

termination stream_setup::one_producer_each() const {
  switch (ending) {
    case termination_kind::quiescence:
      break;
    case termination_kind::counting:
      return counting(shape.pes);
    case termination_kind::staged:
      return staged(1);
  }
  return quiescence();
}

std::string name_of(const stream_setup& s) {
  return name_of(s.shape) + "_" + name_of(s.route) + "_" + name_of(s.ending) + "_b" +
         std::to_string(s.buffer_bytes) + "_x" + std::to_string(s.buffers_per_link);
}

void PrintTo(const stream_setup& setup, std::ostream* out) {
  *out << name_of(setup);
}

namespace {

std::vector<stream_setup> setups_of_night(const std::vector<world_shape>& shapes) {
  constexpr std::size_t buffers[] = {40, 0, 200};
  constexpr int per_link[] = {2, 1, 4, 2};
  std::vector<stream_setup> all;
  std::size_t i = 0;
  for (const world_shape& shape : shapes) {
    for (const route_kind kind : all_route_kinds()) {
      // The termination of each route changes from shape to shape; the other options change with
      // both.
      const auto ending = static_cast<termination_kind>((i + i / all_route_kinds().size()) % 3);
      all.push_back({shape, kind, ending, buffers[(i + i / 3) % 3], per_link[i % 4]});
      ++i;
    }
  }
  return all;
}

std::vector<stream_setup> every_combination(const std::vector<world_shape>& shapes,
                                            const std::vector<termination_kind>& endings) {
  std::vector<stream_setup> all;
  for (const world_shape& shape : shapes) {
    for (const route_kind kind : all_route_kinds()) {
      for (const termination_kind ending : endings) {
        for (const std::size_t buffer_bytes : {40UL, 0UL, 200UL}) {
          for (const int per_link : {2, 1, 4}) {
            all.push_back({shape, kind, ending, buffer_bytes, per_link});
          }
        }
      }
    }
  }
  return all;
}

// Returns the setups of the night, or in the gate a covering array, if it is shorter.
std::vector<stream_setup> of_tier(const std::vector<world_shape>& shapes,
                                  const std::vector<termination_kind>& endings,
                                  std::vector<stream_setup> of_night) {
  if (test_tier() != tier::gate) return of_night;
  using setup = const stream_setup&;
  std::vector<stream_setup> covering = covering_cases(
      every_combination(shapes, endings), [](setup s) { return s.route; },
      [](setup s) { return s.ending; }, [](setup s) { return s.buffer_bytes; },
      [](setup s) { return s.buffers_per_link; });
  return covering.size() < of_night.size() ? covering : of_night;
}

}  // namespace

std::vector<stream_setup> stream_setups_ending(const std::vector<termination_kind>& endings,
                                               const std::vector<world_shape>& shapes) {
  std::vector<stream_setup> all;
  for (const termination_kind ending : endings) {
    for (stream_setup s : setups_of_night(shapes)) {
      s.ending = ending;
      all.push_back(s);
    }
  }
  return of_tier(shapes, endings, std::move(all));
}

std::vector<stream_setup> varied_stream_setups(const std::vector<world_shape>& shapes) {
  using enum termination_kind;
  return of_tier(shapes, {quiescence, counting, staged}, setups_of_night(shapes));
}

std::vector<world_shape> stream_shapes() {
  constexpr auto threads = substrate_kind::threads;
  constexpr auto processes = substrate_kind::processes;
  // Streams are independent of their substrate, and processes take long to start: so these shapes
  // are few.
  std::vector<world_shape> shapes{
      {threads, 1, 1},   {threads, 2, 1},   {threads, 2, 2},  {threads, 3, 2},   {threads, 4, 1},
      {threads, 4, 2},   {threads, 4, 4},   {threads, 8, 1},  {threads, 8, 2},   {threads, 8, 3},
      {threads, 10, 2},  {threads, 17, 1},  {threads, 17, 5}, {processes, 2, 1}, {processes, 4, 2},
      {processes, 8, 1}, {processes, 10, 2}};
  if (can_simulate()) {
    for (const auto& [pes, nodes] : {std::pair{2, 2}, {4, 1}, {4, 2}, {8, 3}, {17, 5}}) {
      shapes.push_back({substrate_kind::simulated, pes, nodes});
    }
  }
  return or_cluster(std::move(shapes));
}

}  // namespace boxcar::test
