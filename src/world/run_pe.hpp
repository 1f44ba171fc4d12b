// What a PE does that `run`, or whatever else starts PEs, has made one: the program's function, and
// how that has ended.
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
  int status = 0;  // that the function returned
  // Set only on the PE whose failure came first; those of the others follow from it.
  std::exception_ptr cause;
  std::string message;
};

using pe_function = std::function<int(world&)>;

outcome run_pe(std::unique_ptr<substrate> substrate, const pe_function& function,
               bool with_helper = false);

// That of several PEs: the first failure, or the status of the lowest PE that returned another one
// than 0.
class outcome_of_all {
 public:
  void add(int rank, outcome one);
  outcome take() &&;

 private:
  outcome all_;
  int rank_of_status_ = -1;
};

}  // namespace boxcar::detail
