#include "substrate/mpi/call.hpp"

#include <array>
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

}  // namespace boxcar::detail::mpi
