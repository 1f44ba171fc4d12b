// The output of a plan for programs.
#pragma once

#include <string>

#include "planner/plan.hpp"

namespace boxcar::planner {

std::string json_of(const plan& p);

}  // namespace boxcar::planner
