// How a program finds out what connects it to other PEs.
#pragma once

#include <memory>
#include <string>

#include "substrate/substrate.hpp"

namespace boxcar::detail {

enum class connection {
  none,       // nobody has started this process together with others
  processes,  // `boxcar run` has
  library,    // a substrate in a library of its own
};

struct discovery {
  connection by = connection::none;
  std::string library;  // "openmpi", "mpich", "mpi", "shmem" or "ofi"
  std::string why;      // in words, for a person
};

// Local. Throws argument_error if the environment is at odds with itself or names something that
// Boxcar has no substrate for.
discovery discover();

// Becomes a PE of what was found; nullptr if it is nothing. Collective over the job.
std::unique_ptr<substrate> join(const discovery& found);

}  // namespace boxcar::detail
