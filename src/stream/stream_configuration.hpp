// A stream's options with everything chosen that was left open, the same on all PEs.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include <boxcar/detail/stream_core.hpp>
#include <boxcar/route.hpp>
#include <boxcar/stream_options.hpp>

#include "model/buffer_size.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

struct stream_configuration {
  route way;
  std::size_t buffer_bytes;
  int buffers_per_link;
  std::size_t look_ahead;
  std::chrono::nanoseconds flush_after;
  std::string reasons;  // why they are as they are, some lines of text
  buffer_place place;   // that of all PEs
};

// A way that tuning may choose, and the buffers that it may have.
struct stream_candidate {
  route way;
  std::size_t buffer_bytes;  // that it would have without tuning
  std::size_t least_bytes;
  std::size_t most_bytes;
};

// Collective if a route is given or has to be counted. The usual one first, then other grids.
std::vector<stream_candidate> candidates(substrate& world, const stream_options& options,
                                         const stream_freight& what,
                                         const stream_configuration& usual);

// Collective. Chooses what is open and checks that it can work and that all PEs ask for the same;
// otherwise throws the same argument_error on all PEs.
stream_configuration configure(substrate& world, const stream_options& options,
                               const stream_freight& what);

}  // namespace boxcar::detail
