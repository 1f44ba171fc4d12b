// The error of a wrongly started job, if all PEs of the job know the error.
#pragma once

#include <boxcar/error.hpp>

namespace boxcar::detail {

// Every PE throws agreed_error with the same message: one PE is enough to print the message.
class agreed_error : public argument_error {
 public:
  using argument_error::argument_error;
};

}  // namespace boxcar::detail
