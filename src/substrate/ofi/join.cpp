// The entry points of the library for libfabric: join the world of a job, and describe the
// networks.
#include <exception>
#include <functional>
#include <string>
#include <string_view>

#include <boxcar/version.hpp>

#include "substrate/cluster/join_cluster.hpp"
#include "substrate/environment.hpp"
#include "substrate/library.hpp"
#include "substrate/ofi/bootstraps.hpp"
#include "substrate/ofi/ofi_network.hpp"
#include "substrate/ofi/one_node.hpp"
#include "substrate/ofi/provider.hpp"
#include "substrate/ofi/runtime.hpp"
#include "substrate/progress_preference.hpp"

namespace {

// Returns whether the user asks neither for several pretended nodes nor for a provider. Invalid
// values are reported later, on all PEs.
bool could_do_without_network(
    const std::function<boxcar::detail::world_request()>& asked_for) noexcept {
  try {
    return asked_for().pretended_nodes == 1 &&
           boxcar::detail::ofi_provider_from_environment().empty();
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace

// library.hpp describes both functions.
extern "C" boxcar::detail::join_function boxcar_join_substrate;
extern "C" boxcar::detail::substrate* boxcar_join_substrate(const char* version) {
  using namespace boxcar::detail;
  if (std::string_view(version) != boxcar::version) return nullptr;
  ofi::require_running();
  ofi::bootstrap& job = ofi::bootstrap_of_process();
  ofi::watch_end(job);
  const auto asked_for = [&job] {
    return world_request{nodes_from_environment().value_or(job.nodes()), wish_of_join()};
  };
  const ofi::job_extent extent = ofi::find_extent(job, could_do_without_network(asked_for));
  if (extent.is_one_node) {
    ofi::one_node start(job);
    return join_node(start, asked_for).release();
  }
  return join_cluster(ofi::make_network(job, extent.is_one_machine), asked_for).release();
}

extern "C" boxcar::detail::describe_function boxcar_describe_networks;
extern "C" const char* boxcar_describe_networks() {
  static std::string text;  // for the caller
  try {
    text = boxcar::detail::ofi::describe_providers(boxcar::detail::ofi_provider_from_environment());
  } catch (const std::exception& e) {
    text = e.what();
  }
  return text.c_str();
}
