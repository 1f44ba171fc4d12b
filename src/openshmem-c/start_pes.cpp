// start_pes, by which programs begin that are older than OpenSHMEM 1.2: a program may call the
// function repeatedly, and need not call shmem_finalize.
#include <cstdlib>
#include <unistd.h>
#include <utility>

#include <boxcar/openshmem-c/shmem.h>

#include "openshmem-c/call.hpp"
#include "openshmem-c/member.hpp"
#include "substrate/liveness/program_end.hpp"
#include "world/hosted_pe.hpp"
#include "world/join.hpp"

using namespace boxcar::openshmem_c;  // NOLINT: the functions of C are in no namespace

namespace boxcar::openshmem_c {
namespace {

pid_t process_of_start = 0;

// Ends OpenSHMEM with the program. A failed program waits for no PEs.
void finalize_at_exit() {
  if (getpid() != process_of_start || detail::program_has_failed()) return;
  if (in_call("exit", [] { return member::is_here(); })) shmem_finalize();
}

}  // namespace
}  // namespace boxcar::openshmem_c

void start_pes(int) {
  in_call(__func__, [] {
    if (member::is_here()) return;  // a second call has no effect
    member::begin();
    const bool is_process = boxcar::detail::current_world() == nullptr &&
                            boxcar::detail::hosted_pe::current() == nullptr;
    if (!is_process || std::exchange(process_of_start, getpid()) == getpid()) return;
    std::atexit(finalize_at_exit);
  });
}
