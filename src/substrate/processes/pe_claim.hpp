// Which process a PE is. A process inherits what a launcher has left for its parent: an MPI
// launcher within a job, or the two programs of a pipe, are several processes that were started as
// one PE.
#pragma once

#include "substrate/shared_memory/control_block.hpp"

namespace boxcar::detail {

// From now on this process is the PE, which messages call `rank`, until it leaves the world, or
// ends. Throws contract_error, and changes nothing, if a process is that PE already.
void claim_pe(pe_block& pe, int rank);

}  // namespace boxcar::detail
