// A stream's options with everything chosen that was left open, the same on all PEs.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include <boxcar/detail/stream_core.hpp>
#include <boxcar/route.hpp>
#include <boxcar/stream_options.hpp>

#include "substrate/substrate.hpp"

namespace boxcar::detail {

struct stream_configuration {
  route way;
  std::size_t buffer_bytes;
  int buffers_per_link;
  std::size_t look_ahead;
  std::chrono::nanoseconds flush_after;
  std::string reasons;  // why they are as they are, some lines of text
};

// Collective. Chooses what is open and checks that it can work and that all PEs ask for the same;
// otherwise throws the same argument_error on all PEs.
stream_configuration configure(substrate& world, const stream_options& options,
                               const stream_freight& what);

}  // namespace boxcar::detail
