// Requests of MPI, each with its sent or received item, in a ring.
#pragma once

#include <cstddef>
#include <mpi.h>
#include <span>
#include <vector>

#include "mpi/communicator.hpp"

namespace boxcar::bench {

class request_ring {
 public:
  request_ring(std::size_t n, std::size_t item_bytes)
      : requests_(n, MPI_REQUEST_NULL),
        finished_(n),
        item_bytes_(item_bytes),
        items_(n * item_bytes) {}

  [[nodiscard]] std::size_t size() const { return requests_.size(); }
  MPI_Request& request(std::size_t i) { return requests_[i]; }
  std::byte* item(std::size_t i) { return items_.data() + i * item_bytes_; }

  // Returns whether the request has finished, or was never begun.
  bool has_finished(std::size_t i) {
    int finished = 0;
    check_mpi(MPI_Test(&requests_[i], &finished, MPI_STATUS_IGNORE), "MPI_Test");
    return finished != 0;
  }
  // Returns the indices of the requests finished since the last call, and writes the status of each
  // to `statuses`, if given. Precondition: `statuses` has room for all requests of the ring.
  std::span<const int> finished(MPI_Status* statuses = MPI_STATUSES_IGNORE) {
    int n = 0;
    check_mpi(MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &n,
                           finished_.data(), statuses),
              "MPI_Testsome");
    return {finished_.data(), n == MPI_UNDEFINED ? 0 : static_cast<std::size_t>(n)};
  }

 private:
  std::vector<MPI_Request> requests_;
  std::vector<int> finished_;
  std::size_t item_bytes_;
  std::vector<std::byte> items_;
};

}  // namespace boxcar::bench
