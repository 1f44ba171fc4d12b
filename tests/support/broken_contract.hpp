// Thrown by the tests' own checks when a conveyor breaks its contract: the rest of the run would
// say nothing new.
#pragma once

#include <stdexcept>

namespace boxcar::test {

class broken_contract : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

}  // namespace boxcar::test
