// Runs the body of a test on a world of any shape, and tells how it ended on each PE.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include <boxcar/world.hpp>

#include "support/world_shape.hpp"

namespace boxcar::test {

// How a body ended: by returning, or by one of Boxcar's exceptions, or by another one.
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
  std::string failure;  // what it threw, or the exit status
};

// For tests in which the world is to fail. Expectations of gtest that fail on any PE fail the test.
// What the body reads by reference must not change; what it writes, other than in a shared_array,
// is lost where PEs are processes.
world_report observe(const world_shape& shape, const std::function<void(world&)>& body);

// For all others: every PE is expected to return.
void run_on(const world_shape& shape, const std::function<void(world&)>& body);

}  // namespace boxcar::test
