// The statistics of a session of a remote function on one PE.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <boxcar/stream_statistics.hpp>

namespace boxcar {

struct remote_function_statistics {
  stream_statistics calls;    // with the asks for results
  stream_statistics replies;  // zeros if the function has no result
};

}  // namespace boxcar
