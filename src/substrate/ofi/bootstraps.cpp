#include "substrate/ofi/bootstraps.hpp"

#include <mutex>

#include <boxcar/error.hpp>

namespace boxcar::detail::ofi {

bootstrap& bootstrap_of_process() {
  static std::mutex guard;  // threads may try at the same time
  // Never destroyed: it is used at the very end.
  static bootstrap* only = nullptr;
  const std::lock_guard lock(guard);
  for (auto* way : {bootstrap_by_boxcar_run, bootstrap_by_boxcar_run_on_hosts, bootstrap_by_pmix,
                    bootstrap_by_pmi}) {
    if (only == nullptr) only = way().release();
  }
  if (only != nullptr) return *only;
  throw system_error(
      "BOXCAR_SUBSTRATE=ofi, but this process was not started together with others: start the "
      "program by `boxcar run`, by mpirun of Open MPI or mpiexec of MPICH, or by srun --mpi=pmix "
      "or --mpi=pmi2, or unset the variable");
}

}  // namespace boxcar::detail::ofi
