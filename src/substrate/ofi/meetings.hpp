// The ways to meet, each nullptr if this process was not started in that way (meeting.hpp).
#pragma once

#include <memory>

#include "substrate/ofi/meeting.hpp"

namespace boxcar::detail::ofi {

// By `boxcar run`: through the memory that it shares with the PEs.
std::unique_ptr<meeting> meet_by_boxcar_run();
// By `boxcar run --hosts`: the same for the PEs of a host, the first of which talks to the
// launcher.
std::unique_ptr<meeting> meet_by_boxcar_run_on_hosts();
// By a launcher that speaks PMIx, as those of Open MPI, PRRTE and Slurm do; its library is opened
// when it is needed.
std::unique_ptr<meeting> meet_by_pmix();
// By a launcher that speaks the first version of PMI over a descriptor, as MPICH's does, and
// Slurm's with --mpi=pmi2.
std::unique_ptr<meeting> meet_by_pmi();

// That of this process, which stays until it ends. Throws system_error if nobody has started it
// together with others in a way that is understood here.
meeting& meet();

}  // namespace boxcar::detail::ofi
