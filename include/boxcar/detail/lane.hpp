#pragma once

#include <cstddef>

namespace boxcar::detail {

// A lane holds the place of the next packet of an outgoing link. cursor == limit: there is no room,
// as the buffer is full, no buffer is open, or no session is on.
struct lane {
  std::byte* cursor;
  std::byte* limit;
};

}  // namespace boxcar::detail
