// What can be wrong with memory between PEs.
#pragma once

#include <boxcar/error.hpp>

namespace boxcar::detail {

// There is no memory or no descriptor left, which may change.
class shortage : public system_error {
 public:
  using system_error::system_error;
};

// Memory that another PE had created is not there any more.
class memory_gone : public system_error {
 public:
  using system_error::system_error;
};

}  // namespace boxcar::detail
