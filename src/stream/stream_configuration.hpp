// The complete configuration of a stream: options that the caller left open are chosen, equally on
// all PEs.
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
  std::string reasons;  // the reasons for the configuration, some lines of text
  buffer_place place;   // common to all PEs
};

// A route that tuning may choose, and its possible buffer sizes.
struct stream_candidate {
  route way;
  std::size_t buffer_bytes;  // without tuning
  std::size_t min_bytes;
  std::size_t most_bytes;
};

// Returns the usual route first, then other grids. Collective if a route is given or has to be
// counted.
std::vector<stream_candidate> candidates(substrate& world, const stream_options& options,
                                         const stream_item_format& what,
                                         const stream_configuration& usual);

// Collective. Chooses open options, and checks that the options can work and are equal on all PEs.
// Throws the same argument_error on all PEs otherwise.
stream_configuration configure(substrate& world, const stream_options& options,
                               const stream_item_format& what);

}  // namespace boxcar::detail
