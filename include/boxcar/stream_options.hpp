// The stream options define how a stream is built. All PEs must give the same values.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <boxcar/route.hpp>

namespace boxcar {

struct stream_options {
  // The route of the items. Without a route, Boxcar chooses: the fewest hops whose buffers fit, or,
  // if `items_per_pe` is given, as boxcar/route_choice.hpp describes.
  std::optional<route> way = std::nullopt;

  // Bytes of items and destinations in a buffer. 0: BOXCAR_BUFFER_BYTES if the variable is set,
  // otherwise chosen.
  std::size_t buffer_bytes = 0;

  // Buffers per link: 1, 2 or 4. With more than one buffer, a PE fills a buffer while another
  // buffer is in flight or being read.
  int buffers_per_link = 2;

  // Input of the choice: about how many items a PE sends in a session (0: very many), and the bound
  // on the memory of its buffers, in bytes (0: a 32nd of the machine's memory per PE).
  std::uint64_t items_per_pe = 0;
  std::size_t max_bytes = 0;

  // The maximum number of items that a PE may hold in buffers that are being filled, its own items
  // and forwarded items; at the maximum, the fullest buffer is sent. (HPC Challenge RandomAccess
  // allows 1024.) At least the number of links. 0: no bound. Items that handlers send while no
  // buffer is free are kept beyond the bound.
  std::size_t look_ahead = 0;

  // Send all buffers, full or not, when nothing was put into them for `flush_after`. 0: never,
  // except in `flush` and `finish`. Needed where a PE waits in a loop of `poll` for items of
  // another PE.
  std::chrono::nanoseconds flush_after{0};

  // While the program runs, find the route and the size of buffers with which sessions are fastest,
  // as conveyors do (docs/tuning.md). `way` or `buffer_bytes` must be open.
  bool tune = false;
};

}  // namespace boxcar
