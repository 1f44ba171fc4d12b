// The exception of a PE that has found out that some PEs can never go on.
#pragma once

#include <boxcar/error.hpp>

namespace boxcar::detail {

// The other PEs have not been notified yet.
class stall_error : public world_error {
 public:
  using world_error::world_error;
};

}  // namespace boxcar::detail
