#include <string_view>

#include <boxcar/mpi.hpp>
#include <boxcar/version.hpp>

#include "substrate/cluster/join_cluster.hpp"
#include "substrate/environment.hpp"
#include "substrate/library.hpp"
#include "substrate/mpi/mpi_network.hpp"
#include "substrate/mpi/runtime.hpp"

namespace boxcar {

world mpi::detail::join(MPI_Comm communicator, const run_options& options) {
  boxcar::detail::mpi::start();
  return world(boxcar::detail::join_cluster(boxcar::detail::mpi::make_network(communicator),
                                            [&options] { return options.nodes; }));
}

}  // namespace boxcar

// See library.hpp.
extern "C" boxcar::detail::join_function boxcar_join_substrate;
extern "C" boxcar::detail::substrate* boxcar_join_substrate(const char* version) {
  using namespace boxcar::detail;
  if (std::string_view(version) != boxcar::version) return nullptr;
  const auto nodes_asked_for = [] { return nodes_from_environment().value_or(1); };
  mpi::start();
  return join_cluster(mpi::make_network(MPI_COMM_WORLD), nodes_asked_for).release();
}
