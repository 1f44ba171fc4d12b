// Which Boxcar this is. Kept in step with project(VERSION) by cmake/version.cmake.
#pragma once

#include <boxcar/detail/cpp20.hpp>

// For #if, which knows no enumerators: 10000 * major + 100 * minor + patch.
// NOLINTNEXTLINE(modernize-macro-to-enum)
#define BOXCAR_VERSION 100

namespace boxcar {

inline constexpr const char* version = "0.1.0";

}  // namespace boxcar
