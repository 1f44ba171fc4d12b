// A claim assigns a process to a PE. A process inherits the launcher's settings for its parent: an
// MPI launcher within a job, or the two programs of a pipe, are several processes started as one
// PE.
#pragma once

#include "substrate/shared_memory/control_block.hpp"

namespace boxcar::detail {

// Makes this process the PE, called `rank` in messages, until the process leaves the world, or
// ends. Throws contract_error, and changes nothing, if a process is the PE already.
void claim_pe(pe_block& pe, int rank);

}  // namespace boxcar::detail
