// The options of a conveyor, as words and as C++ code.
#pragma once

#include <string>

#include <boxcar/conveyor_options.hpp>

namespace boxcar::detail {

// Returns a description of the route: "three hops, groups of 64".
std::string way_text(const conveyor_options& options);

// Returns C++ code: "conveyor_options{.kind = ..., ...}". `way`: the expression for the route, if
// there is a route.
std::string code_of(const conveyor_options& options, const std::string& way);

}  // namespace boxcar::detail
