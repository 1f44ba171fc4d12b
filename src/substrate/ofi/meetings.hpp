// The kinds of meetings (meeting.hpp). Each function returns nullptr if another kind of launcher
// has started this process.
#pragma once

#include <memory>

#include "substrate/ofi/meeting.hpp"

namespace boxcar::detail::ofi {

// Meets by `boxcar run`, through memory shared by the launcher and the PEs.
std::unique_ptr<meeting> meet_by_boxcar_run();
// Meets by `boxcar run --hosts`: the PEs of a host share memory, and the host's first PE exchanges
// data with the launcher.
std::unique_ptr<meeting> meet_by_boxcar_run_on_hosts();
// Meets by a PMIx launcher: Open MPI's, PRRTE's and Slurm's, for instance. The PMIx library is
// opened when needed.
std::unique_ptr<meeting> meet_by_pmix();
// Meets by a launcher with PMI version 1 over a descriptor: MPICH's launcher, and Slurm's with
// --mpi=pmi2.
std::unique_ptr<meeting> meet_by_pmi();

// Returns the meeting of this process; the object lives until the process ends. Throws system_error
// if no supported launcher has started this process together with other processes.
meeting& meet();

}  // namespace boxcar::detail::ofi
