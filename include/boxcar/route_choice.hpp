// The header chooses a route and the size of its buffers by the model (boxcar/model.hpp), with
// reasons (tram-thesis-2014, section 6.1.2).
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

#include <boxcar/model.hpp>
#include <boxcar/route.hpp>

namespace boxcar {

struct route_request {
  int pes = 1;
  int pes_per_node = 1;  // of every node; 1 if they differ
  std::size_t item_bytes = 8;
  std::uint64_t items_per_pe = 0;  // sent by a PE in a session, about; 0: very many
  std::size_t buffer_bytes = 0;    // 0: chosen
  int buffers_per_link = 2;
  // The bound on the memory of all buffers of a PE; 0: 32 MiB, the share of a PE with a GiB of
  // memory. If no route fits, the route with the least memory is taken.
  std::size_t max_bytes = 0;
};

struct route_choice {
  route way;
  std::size_t buffer_bytes;
  std::string reasons;  // some lines of text: the candidates, and the deciding figures
};

// Local. Returns the same result on all PEs for the same request. Among the balanced grids of 1 to
// 8 dimensions and the buffers from 1 KiB to the default size that fit in the memory, the result is
// the pair with which a PE is busy for the shortest time if the PE sends to all other PEs alike.
// The route never has more links than streams can have (65535). Throws argument_error if a number
// is out of range.
[[nodiscard]] route_choice choose_route(const route_request& wish,
                                        const model::machine& machine = model::ordinary_machine());

}  // namespace boxcar
