// The functions that begin and write the trace of a world.
#pragma once

#include <string>

#include "substrate/substrate.hpp"

namespace boxcar::detail {

// Begins to record the activities of this PE, in this world (the world of all PEs of its job) and
// in its subworlds, if BOXCAR_TRACE says so. Local. Throws argument_error or system_error if the
// trace cannot be recorded; the world has failed then.
void record_if_asked(substrate& world);

// Writes the records of this PE so far to a file of its own; returns whether anything is recorded.
// Local. Throws system_error.
bool write_trace_so_far(const substrate& world, const std::string& path);

}  // namespace boxcar::detail
