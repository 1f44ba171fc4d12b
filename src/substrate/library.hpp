// The substrates on libraries that Boxcar itself does not need live in shared libraries of their
// own, which are opened when a program turns out to be part of a job that needs them. So the same
// program runs with and without them.
#pragma once

#include <memory>
#include <string>

#include "substrate/substrate.hpp"

namespace boxcar::detail {

// Each such library has a function of this type, called boxcar_join_substrate: the world of the job
// that this process belongs to. Collective over the job. `version` is that of the caller; nullptr
// is returned if it is not that of the library.
using join_function = substrate*(const char* version);

// Opens the library of the substrate `name`, "openmpi" for instance, and joins. Throws system_error
// if there is no such library, and what the library throws.
std::unique_ptr<substrate> join_by_library(const std::string& name);

// Where the library was found, or empty. Opens it.
std::string find_library(const std::string& name);

}  // namespace boxcar::detail
