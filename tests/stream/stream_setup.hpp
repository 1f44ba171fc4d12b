// The setups of streams for the tests.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include <boxcar/stream.hpp>

#include "support/world_shape.hpp"

namespace boxcar::test {

enum class route_kind {
  chosen,
  direct,
  grid_of_2,
  grid_of_3,
  grid_of_4,
  incomplete_grid,
  tensor,
  teams,
  specialised_teams
};
const std::vector<route_kind>& all_route_kinds();

// A route of the kind for `pes` PEs; nothing for `chosen`.
std::optional<route> route_of(route_kind kind, int pes);

struct stream_setup {
  world_shape shape;
  route_kind route = route_kind::chosen;
  termination_kind ending = termination_kind::quiescence;
  std::size_t buffer_bytes = 0;
  int buffers_per_link = 2;

  [[nodiscard]] stream_options options() const;
  // The termination of a session in which every PE calls `done` once.
  [[nodiscard]] termination one_producer_each() const;
};

// The name of a setup within the name of a test, like "threads_p8_n2_tensor_staged_b64_x1".
std::string name_of(const stream_setup& setup);
void PrintTo(const stream_setup& setup, std::ostream* out);

// The following lists depend on the tier of the run: in the gate they are covering arrays.
//
// Every route on each shape, with another termination from shape to shape, and with buffers of few
// bytes, of some items and of the automatic size, and 1, 2 or 4 of them.
std::vector<stream_setup> varied_stream_setups(const std::vector<world_shape>& shapes);
// Returns the setups with each of the terminations.
std::vector<stream_setup> stream_setups_ending(const std::vector<termination_kind>& endings,
                                               const std::vector<world_shape>& shapes);

// 1 to 17 PEs, one node and several; with 10, for teams of five PEs. In a cluster's job its shapes.
std::vector<world_shape> stream_shapes();

}  // namespace boxcar::test
