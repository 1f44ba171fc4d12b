// The entry points of the library for OpenSHMEM: each makes a PE a member of the world of a job.
#include <string_view>

#include <boxcar/shmem.hpp>
#include <boxcar/version.hpp>

#include "substrate/cluster/join_cluster.hpp"
#include "substrate/environment.hpp"
#include "substrate/library.hpp"
#include "substrate/progress_preference.hpp"
#include "substrate/shmem/runtime.hpp"
#include "substrate/shmem/shmem_network.hpp"

namespace boxcar {

detail::substrate* shmem::detail::join(const run_options& options) {
  using namespace boxcar::detail;
  boxcar::detail::shmem::start(options.progress_thread || may_join_with_thread());
  return join_cluster(boxcar::detail::shmem::make_network(),
                      [&options] {
                        const progress_wish wish = wish_of_join();
                        return world_request{
                            options.nodes, options.progress_thread ? progress_wish::thread : wish};
                      })
      .release();
}

}  // namespace boxcar

// See library.hpp.
extern "C" boxcar::detail::join_function boxcar_join_substrate;
extern "C" boxcar::detail::substrate* boxcar_join_substrate(const char* version) {
  using namespace boxcar::detail;
  if (std::string_view(version) != boxcar::version) return nullptr;
  const auto asked_for = [] {
    symmetric_bytes_from_environment();  // if it is malformed, all PEs are to know it now
    return world_request{nodes_from_environment().value_or(1), wish_of_join()};
  };
  shmem::start(may_join_with_thread());
  return join_cluster(shmem::make_network(), asked_for).release();
}
