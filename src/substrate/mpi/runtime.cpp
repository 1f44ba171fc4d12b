#include "substrate/mpi/runtime.hpp"

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <string>
#include <unistd.h>

#include <boxcar/error.hpp>

#include "substrate/cluster/exit_watch.hpp"
#include "substrate/cluster/whole_job.hpp"
#include "substrate/environment.hpp"
#include "substrate/liveness/abort_grace.hpp"
#include "substrate/mpi/call.hpp"
#include "substrate/mpi/finalize_hook.hpp"
#include "substrate/mpi/which_mpi.hpp"

namespace boxcar::detail::mpi {

std::atomic<bool> is_finalised = false;

namespace {

std::atomic<void (*)()> last_action = nullptr;

int note_end(MPI_Comm, int, void*, void*) {
  depart_from_all_worlds();
  if (const auto action = last_action.load()) action();
  run_finalize_hooks();
  is_finalised.store(true, std::memory_order_relaxed);
  return MPI_SUCCESS;
}

bool initialised_here = false;
pid_t member = 0;  // a forked child has another id

void finish(int status, void*) {
  if (!is_running() || getpid() != member) return;
  if (!initialised_here) {
    // The program should have finalised MPI. Launchers end the job because of the omission, some as
    // if all were well; the departure shows the other PEs what has happened.
    if (status == 0) depart_from_all_worlds();
  } else if (status == 0) {
    MPI_Finalize();
  } else {
    wait_abort_grace();
    MPI_Abort(MPI_COMM_WORLD, status);
  }
}

// MPI_Finalize deletes the attributes of MPI_COMM_SELF before anything else.
void watch_end() {
  static std::once_flag watching;  // threads may make worlds of their own at the same time
  std::call_once(watching, [] {
    member = getpid();
    on_exit(finish, nullptr);
    int key = MPI_KEYVAL_INVALID;
    check(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, note_end, &key, nullptr),
          "MPI_Comm_create_keyval");
    check(MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr), "MPI_Comm_set_attr");
  });
}

}  // namespace

void start(bool many_threads) {
  refuse_other_mpi();
  int initialised = 0;
  MPI_Initialized(&initialised);
  const int started = processes_from_launcher();
  if (initialised == 0) {
    int provided = MPI_THREAD_SINGLE;
    const int level = many_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SERIALIZED;
    check(MPI_Init_thread(nullptr, nullptr, level, &provided), "MPI_Init_thread");
    initialised_here = true;
  }
  int finalised = 0;
  MPI_Finalized(&finalised);
  if (finalised != 0) is_finalised.store(true, std::memory_order_relaxed);
  require_running();
  int size = 0;
  check(MPI_Comm_size(MPI_COMM_WORLD, &size), "MPI_Comm_size");
  require_whole_job(started, size, library_version());
  watch_end();
}

void before_end(void (*action)()) {
  last_action = action;
}

void refuse_after_end() {
  throw contract_error(
      "MPI has been finalised: make worlds and use them before MPI_Finalize, and let them and what "
      "was made with them be destroyed before it");
}

void require_thread_level() {
  int level = MPI_THREAD_SINGLE;
  check(MPI_Query_thread(&level), "MPI_Query_thread");
  if (level > MPI_THREAD_FUNNELED) return;
  int is_main = 0;
  check(MPI_Is_thread_main(&is_main), "MPI_Is_thread_main");
  if (is_main != 0) return;
  throw contract_error(
      "MPI was initialised so that only the main thread may call it, and this is another one: ask "
      "MPI_Init_thread for MPI_THREAD_SERIALIZED or more, or make the world on the main thread");
}

void require_many_threads() {
  int level = MPI_THREAD_SINGLE;
  check(MPI_Query_thread(&level), "MPI_Query_thread");
  if (level == MPI_THREAD_MULTIPLE) return;
  const char* const name = level == MPI_THREAD_SINGLE     ? "MPI_THREAD_SINGLE"
                           : level == MPI_THREAD_FUNNELED ? "MPI_THREAD_FUNNELED"
                                                          : "MPI_THREAD_SERIALIZED";
  throw argument_error(
      std::string("a progress thread calls MPI beside the PE, but MPI was initialised with ") +
      name +
      ": ask MPI_Init_thread for MPI_THREAD_MULTIPLE, or set BOXCAR_PROGRESS_THREAD=1 where Boxcar "
      "initialises MPI; if that is all this MPI grants, do without such a thread");
}

}  // namespace boxcar::detail::mpi
