// What is wrong with how a job was started, as far as all its PEs know it.
#pragma once

#include <boxcar/error.hpp>

namespace boxcar::detail {

// Every PE throws it, with the same message: it is enough that one of them prints it.
class agreed_error : public argument_error {
 public:
  using argument_error::argument_error;
};

}  // namespace boxcar::detail
