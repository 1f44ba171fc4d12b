// Members of the family of routes, for tests of properties of all routes.
#pragma once

#include <vector>

#include <boxcar/route.hpp>

namespace boxcar::test {

// Every member with consistent numbers for `pes` PEs; grids have up to four dimensions, complete or
// not.
std::vector<route> every_route(int pes);

// Some for worlds of hundreds and thousands of PEs, and some of five to eight dimensions.
std::vector<route> large_routes();

}  // namespace boxcar::test
