// Fuzzes the reader of network files, and the use of the topology by a plan.
#include <boxcar/error.hpp>
#include <boxcar/network.hpp>

#include "input_file.hpp"
#include "planner/topology_load.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const boxcar::fuzz::input_file input(data, size);
  try {
    const boxcar::simulated_network network = boxcar::read_network(input.path());
    constexpr int nodes = 6;
    static_cast<void>(boxcar::detail::load_of(network, nodes, {{0, 1}, {0, 5}, {4, 2}}));
  } catch (const boxcar::error&) {
    // The file is refused.
  }
  return 0;
}
