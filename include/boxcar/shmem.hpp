// The header makes the world for programs that use OpenSHMEM themselves. Programs are linked with
// boxcar::shmem; programs without calls of OpenSHMEM run under oshrun without the header
// (docs/clusters.md).
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <boxcar/run.hpp>
#include <boxcar/world.hpp>

namespace boxcar::shmem {

namespace detail {
boxcar::detail::substrate* join(const run_options& options);
}

// Collective over all PEs of OpenSHMEM. Returns a world with the same ranks. PEs that can share
// memory are on one node. Initialises OpenSHMEM if the program has not. The world, and everything
// that was made with the world, must be destroyed before shmem_finalize. A subset of the PEs
// becomes a world by `split`.
//
// Throws argument_error if OpenSHMEM does not allow the requested progress threads (they need
// SHMEM_THREAD_MULTIPLE), contract_error if OpenSHMEM has been finalised, and system_error if the
// symmetric heap is too small (BOXCAR_SYMMETRIC_BYTES is the part of the heap that is taken at
// first).
[[nodiscard]] inline world world_of_all(const run_options& options = {}) {
  return boxcar::detail::world_of_joined(detail::join(options));
}

}  // namespace boxcar::shmem
