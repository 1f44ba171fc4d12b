// The collection options define how the messages of a collection travel, and what is measured.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <cstddef>

#include <boxcar/stream_options.hpp>

namespace boxcar {

// All PEs must give the same values.
struct collection_options {
  stream_options stream{};

  // The maximum number of moved objects whose location a PE remembers. Messages to other moved
  // objects travel by way of their home.
  std::size_t max_locations = 4096;

  // The maximum number of bytes of an array that travel in one message.
  std::size_t chunk_bytes = std::size_t{1} << 16;

  // Measures the time in the handlers of each object, as input of `rebalance`. The clock is read
  // twice for every 16th item.
  bool measure_load = false;
};

}  // namespace boxcar
