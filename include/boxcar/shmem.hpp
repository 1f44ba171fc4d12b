// The world for programs that use OpenSHMEM themselves. To be linked with boxcar::shmem; programs
// that do not call OpenSHMEM need none of this to run under oshrun (docs/clusters.md).
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <boxcar/run.hpp>
#include <boxcar/world.hpp>

namespace boxcar::shmem {

namespace detail {
boxcar::detail::substrate* join(const run_options& options);
}

// Collective over all PEs of OpenSHMEM: a world with the same ranks. PEs that can share memory are
// on one node. Initialises OpenSHMEM if the program has not. The world, and all that was made with
// it, is to be destroyed before shmem_finalize. A part of the PEs becomes a world by `split`.
//
// Throws argument_error if OpenSHMEM does not allow the progress threads that were asked for (they
// need SHMEM_THREAD_MULTIPLE), contract_error if it has been finalised, and system_error if the
// symmetric heap is too small (BOXCAR_SYMMETRIC_BYTES says how much of it is taken at first).
[[nodiscard]] inline world world_of_all(const run_options& options = {}) {
  return boxcar::detail::world_of_joined(detail::join(options));
}

}  // namespace boxcar::shmem
