// Runs the body of a test on a world of any shape, and reports its end on each PE.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include <boxcar/world.hpp>

#include "support/world_shape.hpp"

namespace boxcar::test {

// The end of a body: a return, an exception of Boxcar, or another exception.
enum class ending {
  unknown,  // the PE did not come to an end by itself
  returned,
  argument_error,
  contract_error,
  world_error,
  system_error,
  other_exception
};
void PrintTo(ending end, std::ostream* out);

struct pe_report {
  ending end = ending::unknown;
  std::string what;  // of the exception
};

struct world_report {
  std::vector<pe_report> pes;
  // `boxcar::run` threw, or the job's exit status was not 0.
  bool failed = false;
  std::string failure;  // the exception, or the exit status
};

// Runs tests in which the world fails. Expectations of gtest that fail on any PE fail the test.
// Variables that the body reads by reference must not change; its writes, other than to a
// shared_array, are lost where PEs are processes.
world_report observe(const world_shape& shape, const std::function<void(world&)>& body);

// Runs all other tests: every PE is expected to return.
void run_on(const world_shape& shape, const std::function<void(world&)>& body);

}  // namespace boxcar::test
