// A plan for people to read.
#pragma once

#include <string>

#include "planner/plan.hpp"

namespace boxcar::planner {

std::string text_of(const plan& p);

}  // namespace boxcar::planner
