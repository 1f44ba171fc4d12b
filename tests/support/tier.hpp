// The tier of a test run: how many of the possible cases the parameterised suites have.
#pragma once

#include <string_view>

namespace boxcar::test {

// The gate runs before every merge: its suites have covering arrays (covering.hpp). The nightly and
// the weekly tier run the full products of all parameters.
enum class tier { gate, nightly, weekly };

// Returns the tier of the name. Throws std::invalid_argument if there is none.
tier tier_of(std::string_view name);

// Returns the tier of the run, named by the environment variable BOXCAR_TEST_TIER; without the
// variable, the gate. Ends the program with a message if the variable names no tier. The first call
// reads the variable.
tier test_tier();

}  // namespace boxcar::test
