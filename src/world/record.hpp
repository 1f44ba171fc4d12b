// Whether a trace is wanted of a world, and who has asked for it.
#pragma once

#include <string>

#include "substrate/substrate.hpp"

namespace boxcar::detail {

// What this PE does in this world, which is that of all PEs of its job, and in its parts, is noted
// from now on if BOXCAR_TRACE says so. Local. Throws argument_error or system_error if that cannot
// be done; the world has failed then.
void record_if_asked(substrate& world);

// Writes what this PE has noted so far to a file of its own, and returns whether anything is noted
// at all. Local. Throws system_error.
bool write_trace_so_far(const substrate& world, const std::string& path);

}  // namespace boxcar::detail
