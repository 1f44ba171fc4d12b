// The execution of a program's function on a PE made by `run` or by another launcher, and the
// outcome of the execution.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <string>

#include <boxcar/world.hpp>

#include "substrate/substrate.hpp"

namespace boxcar::detail {

struct outcome {
  bool failed = false;
  int status = 0;  // returned by the function
  // Set only on the PE whose failure came first; the failures of other PEs follow from this
  // failure.
  std::exception_ptr cause;
  std::string message;
};

using pe_function = std::function<int(world&)>;

outcome run_pe(std::unique_ptr<substrate> substrate, const pe_function& function,
               bool with_helper = false);

// The outcome of several PEs: the first failure, or the status of the lowest PE that returned a
// status other than 0.
class outcome_of_all {
 public:
  void add(int rank, outcome one);
  outcome take() &&;

 private:
  outcome all_;
  int rank_of_status_ = -1;
};

}  // namespace boxcar::detail
