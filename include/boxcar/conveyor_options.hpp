// How a conveyor is to be built. All PEs must give the same values.
#pragma once

#include <cstddef>

namespace boxcar {

struct conveyor_options {
  // Bytes of one buffer; at least the size of an item. 0: chosen from the number of links, so that
  // the buffers that are filled stay in the cache, or BOXCAR_BUFFER_BYTES if that is set.
  std::size_t buffer_bytes = 0;

  // Buffers per link: 1, 2 or 4. With more than one, a PE can fill one while another is on its way
  // or being read (conveyors-2019, section 4.3.3).
  int buffers_per_link = 2;

  // Never hold pushed items back: as long as every PE keeps calling advance and pull, each item is
  // delivered, also before the endgame (conveyors-2019, section 3.6).
  bool steady = false;

  // Hold buffers only during a session: allocate at begin, release at reset.
  bool dynamic_memory = false;
};

}  // namespace boxcar
