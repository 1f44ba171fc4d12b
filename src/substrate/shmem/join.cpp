#include <string_view>

#include <boxcar/shmem.hpp>
#include <boxcar/version.hpp>

#include "substrate/cluster/join_cluster.hpp"
#include "substrate/library.hpp"
#include "substrate/shmem/runtime.hpp"
#include "substrate/shmem/shmem_network.hpp"

namespace boxcar {

world shmem::world_of_all(run_options options) {
  detail::shmem::start();
  return world(detail::join_cluster(detail::shmem::make_network(), options.nodes));
}

}  // namespace boxcar

// See library.hpp.
extern "C" boxcar::detail::join_function boxcar_join_substrate;
extern "C" boxcar::detail::substrate* boxcar_join_substrate(const char* version,
                                                            int pretended_nodes) {
  using namespace boxcar::detail;
  if (std::string_view(version) != boxcar::version) return nullptr;
  shmem::start();
  return join_cluster(shmem::make_network(), pretended_nodes).release();
}
