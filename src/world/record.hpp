// The functions that begin and write the trace of a world.
#pragma once

#include <string>

#include "substrate/substrate.hpp"

namespace boxcar::detail {

// Begins to record the activities of this PE in `world`, a world of all PEs of the job, and in
// subworlds of `world`, if BOXCAR_TRACE says so. Local. Throws argument_error or system_error if
// the trace cannot be recorded; the world has failed then.
void record_if_asked(substrate& world);

// Writes the records of this PE so far to a separate file, `path`; returns whether anything is
// recorded. Local. Throws system_error.
bool write_trace_so_far(const substrate& world, const std::string& path);

}  // namespace boxcar::detail
