// What a PE throws that has found out that some can never go on.
#pragma once

#include <boxcar/error.hpp>

namespace boxcar::detail {

// The other PEs have not been told yet.
class stall_error : public world_error {
 public:
  using world_error::world_error;
};

}  // namespace boxcar::detail
