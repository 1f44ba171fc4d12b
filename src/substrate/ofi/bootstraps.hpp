// The kinds of bootstraps (bootstrap.hpp). Each function returns nullptr if another kind of
// launcher has started this process.
#pragma once

#include <memory>

#include "substrate/ofi/bootstrap.hpp"

namespace boxcar::detail::ofi {

// Bootstraps by `boxcar run`, through memory shared by the launcher and the PEs.
std::unique_ptr<bootstrap> bootstrap_by_boxcar_run();
// Bootstraps by `boxcar run --hosts`: the PEs of a host share memory, and the host's first PE
// exchanges data with the launcher.
std::unique_ptr<bootstrap> bootstrap_by_boxcar_run_on_hosts();
// Bootstraps by a PMIx launcher: Open MPI's, PRRTE's and Slurm's, for instance. The PMIx library is
// opened when needed.
std::unique_ptr<bootstrap> bootstrap_by_pmix();
// Bootstraps by a launcher with PMI version 1 over a descriptor: MPICH's launcher, and Slurm's with
// --mpi=pmi2.
std::unique_ptr<bootstrap> bootstrap_by_pmi();

// Returns the bootstrap of this process; the object lives until the process ends. Throws
// system_error if no supported launcher has started this process together with other processes.
bootstrap& bootstrap_of_process();

}  // namespace boxcar::detail::ofi
