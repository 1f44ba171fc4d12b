#include "substrate/simulated/network_model.hpp"

#include <bit>
#include <cmath>
#include <initializer_list>
#include <string>
#include <utility>

#include <boxcar/error.hpp>

namespace boxcar::detail {
namespace {

void check(const network_level& level, const char* name) {
  constexpr double longest = 1e12;  // 1000 seconds
  for (const auto& [value, what] : {std::pair{level.latency, "latency"},
                                    {level.overhead, "overhead"},
                                    {level.overhead_per_byte, "overhead_per_byte"},
                                    {level.gap, "gap"},
                                    {level.gap_per_byte, "gap_per_byte"}}) {
    if (value >= 0 && value <= longest) continue;
    throw argument_error(std::string("simulate: the network's ") + name + '.' + what + " is " +
                         std::to_string(value) + " nanoseconds: give 0 to 1e12");
  }
}

int depth_of_tree(int members) {
  return members <= 1 ? 0 : static_cast<int>(std::bit_width(static_cast<unsigned>(members - 1)));
}

}  // namespace

network_model::network_model(const simulated_network& costs, int nodes)
    : near_(costs.same_node),
      far_(costs.other_node),
      leaving_(static_cast<std::size_t>(nodes)),
      arriving_(static_cast<std::size_t>(nodes)) {
  check(near_, "same_node");
  check(far_, "other_node");
}

moment network_model::collective(int nodes, int largest_node, std::size_t bytes) const {
  const double step = far_.latency + 2 * (far_.overhead + rest(bytes) * far_.overhead_per_byte) +
                      rest(bytes) * far_.gap_per_byte;
  return depth_of_tree(nodes) * from_nanoseconds(step) +
         depth_of_tree(largest_node) * (near_latency() + near_core_time());
}

}  // namespace boxcar::detail
