#include "substrate/simulated/simulated_layout.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include <boxcar/detail/max_pes.hpp>
#include <boxcar/error.hpp>

#include "substrate/simulated/memory_need.hpp"

namespace boxcar::detail {

node_layout simulated_layout(const simulate_options& options) {
  if (options.pes < 1 || options.pes > max_simulated_pes) {
    throw argument_error("simulate: a world of " + std::to_string(options.pes) +
                         " PEs cannot be started: give a number from 1 to " +
                         std::to_string(max_simulated_pes));
  }
  require_memory_for(options.pes, min_bytes_of_pe, physical_memory());
  if (options.pes_per_node < 0) {
    throw argument_error("simulate: there cannot be " + std::to_string(options.pes_per_node) +
                         " PEs on a node: give a number from 1 on, or 0 for all");
  }
  if (options.pes_per_node == 0) return node_layout(options.pes);
  node_layout::builder nodes;
  for (int first = 0; first < options.pes; first += options.pes_per_node) {
    nodes.add(static_cast<std::uint64_t>(first / options.pes_per_node),
              std::min(options.pes_per_node, options.pes - first));
  }
  return std::move(nodes).build();
}

}  // namespace boxcar::detail
