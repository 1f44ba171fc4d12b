// The errors of memory shared between PEs.
#pragma once

#include <boxcar/error.hpp>

namespace boxcar::detail {

// No memory or no descriptor is left, which may change.
class shortage : public system_error {
 public:
  using system_error::system_error;
};

// Memory created by another PE does not exist any more.
class memory_gone : public system_error {
 public:
  using system_error::system_error;
};

}  // namespace boxcar::detail
