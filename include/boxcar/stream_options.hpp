// How a stream is to be built. All PEs must give the same.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <boxcar/route.hpp>

namespace boxcar {

struct stream_options {
  // Over which stops items travel. Without one it is chosen: the fewest hops whose buffers fit, or,
  // if `items_per_pe` is given, as boxcar/route_choice.hpp tells.
  std::optional<route> way = std::nullopt;

  // Bytes of items and destinations in a buffer. 0: chosen, or BOXCAR_BUFFER_BYTES if that is set.
  std::size_t buffer_bytes = 0;

  // 1, 2 or 4. With more than one, a PE fills one while another is on its way or being read.
  int buffers_per_link = 2;

  // For the choice: about how many items a PE sends in a session, and what its buffers may take, in
  // bytes. 0: very many; a 32nd of what the machine has for each PE on it.
  std::uint64_t items_per_pe = 0;
  std::size_t max_bytes = 0;

  // The most items that a PE may hold in buffers that it fills, its own and those of others that it
  // passes on; when there are so many, the fullest buffer leaves. (HPC Challenge RandomAccess
  // allows 1024.) At least the number of links. 0: no bound. What handlers send while no buffer is
  // free is kept beyond the bound.
  std::size_t look_ahead = 0;

  // Send all buffers, full or not, when nothing was put into them for so long. 0: never, but in
  // `flush` and `finish`. Needed where a PE waits in a loop of `poll` for what another will send.
  std::chrono::nanoseconds flush_after{0};

  // While the program runs, find the route and the size of buffers with which sessions are fastest,
  // as conveyors do (docs/tuning.md). `way` or `buffer_bytes` must be open.
  bool tune = false;
};

}  // namespace boxcar
