#include "substrate/shmem/runtime.hpp"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <shmem.h>
#include <unistd.h>

#include <boxcar/error.hpp>

#include "substrate/cluster/exit_watch.hpp"
#include "substrate/cluster/whole_job.hpp"
#include "substrate/environment.hpp"
#include "substrate/liveness/abort_grace.hpp"

namespace boxcar::detail::shmem {
namespace {

pid_t member = 0;

void finish(int status, void*) {
  if (!is_running()) return;
  if (getpid() != member) {
    // A forked child ends here: OpenSHMEM would finalise itself in the name of the PE, and hang.
    std::fflush(nullptr);
    _exit(status);
  }
  if (status != 0) {
    wait_abort_grace();
    shmem_global_exit(status);
  }
  depart_from_all_worlds();  // OpenSHMEM finalises itself now, and waits for all PEs
}

// OpenSHMEM 1.4 has no function to query the state; Open MPI's OpenSHMEM has a variable.
const bool* initialised_flag() {
  static const auto* flag =
      static_cast<const bool*>(dlsym(RTLD_DEFAULT, "oshmem_shmem_initialized"));
  return flag;
}

}  // namespace

void start(bool many_threads) {
  // With Open MPI 4 every OpenSHMEM program crashes at its end if UCX watches unmapped memory. A
  // user who has set the variable, or a program that has started OpenSHMEM already, has decided
  // otherwise.
  setenv("OMPI_MCA_opal_common_ucx_opal_mem_hooks", "0", 0);
  // A second initialisation of OpenSHMEM does nothing.
  const bool* const flag = initialised_flag();
  const bool is_first = flag != nullptr && !*flag;
  const int started = processes_from_launcher();
  int provided = SHMEM_THREAD_SINGLE;
  if (many_threads) {
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
  } else {
    shmem_init();
  }
  if (is_first) require_whole_job(started, shmem_n_pes(), "OpenSHMEM");
  member = getpid();
  static const int registered = on_exit(finish, nullptr);
  static_cast<void>(registered);
}

bool is_running() noexcept {
  const bool* flag = initialised_flag();
  return flag == nullptr || *flag;
}

void require_running() {
  if (is_running()) return;
  throw contract_error(
      "OpenSHMEM has been finalised: use worlds before shmem_finalize, and let them and what was "
      "made with them be destroyed before it");
}

void require_many_threads() {
  int level = SHMEM_THREAD_SINGLE;
  shmem_query_thread(&level);
  if (level == SHMEM_THREAD_MULTIPLE) return;
  throw argument_error(
      "a progress thread calls OpenSHMEM beside the PE, but OpenSHMEM was initialised for less "
      "than "
      "SHMEM_THREAD_MULTIPLE: ask shmem_init_thread for that, or set BOXCAR_PROGRESS_THREAD=1 "
      "where "
      "Boxcar initialises OpenSHMEM; if this OpenSHMEM does not grant it, do without such a "
      "thread");
}

}  // namespace boxcar::detail::shmem
