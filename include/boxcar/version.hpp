// The header gives the version of Boxcar, kept in step with project(VERSION) by
// cmake/version.cmake.
#pragma once

#include <boxcar/detail/cpp20.hpp>

// The version for #if, where enumerators are unknown: 10000 * major + 100 * minor + patch.
// NOLINTNEXTLINE(modernize-macro-to-enum)
#define BOXCAR_VERSION 200

namespace boxcar {

inline constexpr const char* version = "0.2.0";

}  // namespace boxcar
