// The output of a plan for people.
#pragma once

#include <string>

#include "planner/plan.hpp"

namespace boxcar::planner {

std::string text_of(const plan& p);

}  // namespace boxcar::planner
