#include "substrate/shmem/runtime.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <shmem.h>

#include <boxcar/error.hpp>

namespace boxcar::detail::shmem {
namespace {

void finish(int status, void*) {
  // With status 0 OpenSHMEM finalises itself.
  if (status != 0 && is_running()) shmem_global_exit(status);
}

// OpenSHMEM 1.4 has no function to ask; that of Open MPI has this variable.
const bool* initialised_flag() {
  static const auto* flag =
      static_cast<const bool*>(dlsym(RTLD_DEFAULT, "oshmem_shmem_initialized"));
  return flag;
}

}  // namespace

void start() {
  shmem_init();  // does nothing if the program has called it
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

}  // namespace boxcar::detail::shmem
