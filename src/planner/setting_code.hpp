// What a conveyor is asked for, in words and in C++.
#pragma once

#include <string>

#include <boxcar/conveyor_options.hpp>

namespace boxcar::detail {

// "three hops, groups of 64"
std::string way_text(const conveyor_options& options);

// "conveyor_options{.kind = ..., ...}". `way`: what stands for the route, if there is one.
std::string code_of(const conveyor_options& options, const std::string& way);

}  // namespace boxcar::detail
