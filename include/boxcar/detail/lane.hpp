#pragma once

#include <cstddef>

namespace boxcar::detail {

// Where the next packet of an outgoing link goes. cursor == limit: there is no room, be it that the
// buffer is full, that none is open, or that no session is on.
struct lane {
  std::byte* cursor;
  std::byte* limit;
};

}  // namespace boxcar::detail
