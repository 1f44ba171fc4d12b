// The setups of biconveyors for the tests.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "biconveyor/any_biconveyor.hpp"
#include "support/conveyor_setup.hpp"

namespace boxcar::test {

struct biconveyor_setup {
  world_shape shape;
  std::string variant;
  conveyor_options options;
  question_sizes sizes;
};

// The name of a setup within the name of a test, like
// "processes_p4_n2_tensor3_q3_r13_b13_x2_dynamic".
std::string name_of(const biconveyor_setup& setup);
void PrintTo(const biconveyor_setup& setup, std::ostream* out);

// Selects the setups of a suite.
using biconveyor_filter = bool (*)(const biconveyor_setup&);
bool any_setup(const biconveyor_setup& setup);
// Accepts the kinds for elastic biconveyors.
bool is_asynchronous(const biconveyor_setup& setup);

// The following lists depend on the tier of the run: in the gate they are covering arrays, and
// later all setups.
//
// Every kind of conveyor on each of the shapes, if it passes the filter, with queries and replies
// of 8 bytes and otherwise default options.
std::vector<biconveyor_setup> plain_biconveyor_setups(const std::vector<world_shape>& shapes,
                                                      biconveyor_filter filter = any_setup);
// The plain setups with room for one item only wherever there is room: everything blocks all the
// time.
std::vector<biconveyor_setup> tight_biconveyor_setups(const std::vector<world_shape>& shapes);
// Every kind on each of the shapes, each with another combination of sizes and options.
std::vector<biconveyor_setup> varied_biconveyor_setups(const std::vector<world_shape>& shapes);

// A few of the shapes, for properties that are tested on all other shapes, too.
std::vector<world_shape> crowded_shapes();

}  // namespace boxcar::test
