#include "substrate/mpi/call.hpp"

#include <array>
#include <sched.h>
#include <string>

#include <boxcar/error.hpp>

namespace boxcar::detail::mpi {

void check(int code, const char* function) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING + 1> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  throw system_error(std::string(function) + " failed: " + text.data());
}

void wait(MPI_Request request, const char* function) {
  for (int done = 0; done == 0;) {
    check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), function);
    if (done == 0) sched_yield();
  }
}

}  // namespace boxcar::detail::mpi
