// Discovery finds the connection of a program to other PEs.
#pragma once

#include <memory>
#include <string>

#include "substrate/substrate.hpp"

namespace boxcar::detail {

enum class connection {
  none,       // this process was not started together with others
  processes,  // `boxcar run` has started the processes
  library,    // a substrate in a network library (library.hpp)
};

struct discovery {
  connection by = connection::none;
  std::string library;  // "openmpi", "mpich", "mpi", "shmem" or "ofi"
  std::string why;      // the reason in words, for a person
};

// Local. Throws argument_error if the environment is at odds with itself, or names a substrate that
// Boxcar does not have.
discovery discover();

// Joins the job over the connection, as a PE. Returns nullptr for connection::none. Collective over
// the job.
std::unique_ptr<substrate> join(const discovery& found);

}  // namespace boxcar::detail
