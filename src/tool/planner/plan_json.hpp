// A plan for programs to read.
#pragma once

#include <string>

#include "planner/plan.hpp"

namespace boxcar::planner {

std::string json_of(const plan& p);

}  // namespace boxcar::planner
