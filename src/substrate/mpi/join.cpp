// The entry points of the library for MPI: each makes a PE a member of the world of a job or
// communicator.
#include <string_view>

#include <boxcar/mpi.hpp>
#include <boxcar/version.hpp>

#include "substrate/cluster/join_cluster.hpp"
#include "substrate/environment.hpp"
#include "substrate/library.hpp"
#include "substrate/mpi/mpi_network.hpp"
#include "substrate/mpi/runtime.hpp"
#include "substrate/progress_preference.hpp"

namespace boxcar {
namespace {

// Collective over the communicator.
std::unique_ptr<detail::substrate> join_communicator(MPI_Comm communicator,
                                                     const run_options& options) {
  using namespace detail;
  boxcar::detail::mpi::start(options.progress_thread || may_join_with_thread());
  return join_cluster(boxcar::detail::mpi::make_network(communicator), [&options] {
    const progress_wish wish = wish_of_join();
    return world_request{options.nodes, options.progress_thread ? progress_wish::thread : wish};
  });
}

}  // namespace

detail::substrate* mpi::detail::join(MPI_Comm communicator, const run_options& options) {
  return join_communicator(communicator, options).release();
}

}  // namespace boxcar

// See library.hpp.
extern "C" boxcar::detail::join_function boxcar_join_substrate;
extern "C" boxcar::detail::substrate* boxcar_join_substrate(const char* version) {
  using namespace boxcar::detail;
  if (std::string_view(version) != boxcar::version) return nullptr;
  const auto asked_for = [] {
    return world_request{nodes_from_environment().value_or(1), wish_of_join()};
  };
  mpi::start(may_join_with_thread());
  return join_cluster(mpi::make_network(MPI_COMM_WORLD), asked_for).release();
}

extern "C" boxcar::detail::join_communicator_function boxcar_join_communicator;
extern "C" boxcar::detail::substrate* boxcar_join_communicator(const char* version,
                                                               const void* communicator) {
  if (std::string_view(version) != boxcar::version) return nullptr;
  return boxcar::join_communicator(*static_cast<const MPI_Comm*>(communicator), {}).release();
}
