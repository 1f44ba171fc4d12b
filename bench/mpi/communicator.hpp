// A communicator of a baseline's own: with all PEs, and with returned errors.
#pragma once

#include <mpi.h>
#include <stdexcept>
#include <string>

namespace boxcar::bench {

// Throws std::runtime_error with MPI's text unless `result` is success.
inline void check_mpi(int result, const char* function) {
  if (result == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(result, text, &length);
  throw std::runtime_error(std::string(function) + " failed: " + text);
}

class communicator {
 public:
  communicator() {
    check_mpi(MPI_Comm_dup(MPI_COMM_WORLD, &handle_), "MPI_Comm_dup");
    MPI_Comm_set_errhandler(handle_, MPI_ERRORS_RETURN);
  }
  communicator(const communicator&) = delete;
  communicator& operator=(const communicator&) = delete;
  ~communicator() { MPI_Comm_free(&handle_); }

  [[nodiscard]] MPI_Comm get() const { return handle_; }
  [[nodiscard]] int size() const {
    int pes = 0;
    MPI_Comm_size(handle_, &pes);
    return pes;
  }
  [[nodiscard]] int rank() const {
    int pe = 0;
    MPI_Comm_rank(handle_, &pe);
    return pe;
  }

 private:
  MPI_Comm handle_ = MPI_COMM_NULL;
};

}  // namespace boxcar::bench
