// The options of a distributed array. All PEs must give the same values.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <cstdint>

#include <boxcar/stream_options.hpp>

namespace boxcar {

enum class array_layout : std::uint8_t {
  block,   // each PE has a block of consecutive indices; the blocks differ by one index at most
  cyclic,  // index i is on PE i mod the number of PEs
};

struct distributed_array_options {
  array_layout layout = array_layout::block;
  // The options of the stream that carries `tell`.
  stream_options stream = {};
};

}  // namespace boxcar
