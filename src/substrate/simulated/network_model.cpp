#include "substrate/simulated/network_model.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include <boxcar/error.hpp>

namespace boxcar::detail {
namespace {

constexpr double longest = 1e12;         // 1000 seconds
constexpr double longest_of_byte = 1e6;  // the time for a gigabyte fits in a moment

void check(double value, const std::string& what, double most = longest) {
  if (value >= 0 && value <= most) return;
  throw argument_error("simulate: the network's " + what + " is " + std::to_string(value) +
                       " nanoseconds: give 0 to " + (most == longest ? "1e12" : "1e6"));
}

void check(const network_level& level, const std::string& name) {
  check(level.latency, name + ".latency");
  check(level.overhead, name + ".overhead");
  check(level.overhead_per_byte, name + ".overhead_per_byte", longest_of_byte);
  check(level.gap, name + ".gap");
  check(level.gap_per_byte, name + ".gap_per_byte", longest_of_byte);
}

int depth_of_tree(int members) {
  return members <= 1 ? 0 : static_cast<int>(std::bit_width(static_cast<unsigned>(members - 1)));
}

}  // namespace

network_model::network_model(const simulated_network& costs, int nodes, std::uint64_t seed)
    : near_(costs.same_node),
      far_(costs.other_node),
      core_(costs.core),
      cores_per_node_(costs.cores_per_node),
      offload_(costs.offload),
      other_group_latency_(costs.other_group_latency),
      links_(make_network_links(costs, nodes, seed)),
      leaving_(static_cast<std::size_t>(nodes)),
      arriving_(static_cast<std::size_t>(nodes)) {
  check(near_, "same_node");
  check(far_, "other_node");
  check(other_group_latency_, "other_group_latency");
  check(costs.link.gap_per_byte, "link.gap_per_byte", longest_of_byte);
  check(costs.link.latency, "link.latency");
  for (const auto& [value, what] : {std::pair{core_.push, "core.push"},
                                    {core_.pivot, "core.pivot"},
                                    {core_.pull, "core.pull"},
                                    {core_.byte, "core.byte"},
                                    {core_.miss, "core.miss"},
                                    {core_.change, "core.change"}}) {
    check(value, what, longest_of_byte);
  }
  if (!(core_.cache_bytes >= 0)) {
    throw argument_error("simulate: the network's core.cache_bytes is " +
                         std::to_string(core_.cache_bytes) + ": give 0 or more");
  }
  if (costs.cores_per_node < 0) {
    throw argument_error("simulate: the network's cores_per_node is " +
                         std::to_string(costs.cores_per_node) +
                         ": give 1 or more, or 0 for one for each PE");
  }
  if (costs.nodes_per_group < 0) {
    throw argument_error("simulate: the network's nodes_per_group is " +
                         std::to_string(costs.nodes_per_group) + ": give 1 or more, or 0 for all");
  }
  per_group_ = links_ == nullptr ? costs.nodes_per_group : links_->nodes_per_group();
  typical_latency_ = unloaded_latency(costs, nodes, seed);
}

// Returns the latency between distant nodes, on unused links.
moment network_model::unloaded_latency(const simulated_network& costs, int nodes,
                                       std::uint64_t seed) const {
  passage far{.from = 0, .to = nodes / 2};
  if (const auto unused = make_network_links(costs, nodes, seed)) {
    while (unused->move_on(far)) continue;
  }
  return far.head + latency(far.from, far.to);
}

moment network_model::reach(const passage& p) const {
  // The receiver's adapter is busy as long as the sender's; the remaining time of the links comes
  // before.
  return std::max(p.head, p.tail - time_in_adapter(p.bytes)) + latency(p.from, p.to);
}

moment network_model::time_for(const packet_work& work) const {
  const auto bytes = static_cast<double>(work.bytes);
  const double packets = work.packet_bytes == 0 ? (work.bytes == 0 ? 0.0 : 1.0)
                                                : bytes / static_cast<double>(work.packet_bytes);
  if (work.what == packet_work::kind::pulled) {
    return from_nanoseconds(packets * core_.pull + bytes * core_.byte);
  }
  const auto among = static_cast<double>(work.among_bytes);
  const double missed = among <= core_.cache_bytes ? 0.0 : 1.0 - core_.cache_bytes / among;
  const double each =
      (work.what == packet_work::kind::pushed ? core_.push : core_.pivot) + missed * core_.miss;
  return from_nanoseconds(packets * each + bytes * core_.byte);
}

moment network_model::collective(int nodes, int largest_node, std::size_t bytes) const {
  const double step =
      2 * (far_.overhead + rest(bytes) * far_.overhead_per_byte) + rest(bytes) * far_.gap_per_byte;
  return depth_of_tree(nodes) * (typical_latency_ + from_nanoseconds(step)) +
         depth_of_tree(largest_node) * (near_latency() + near_core_time());
}

}  // namespace boxcar::detail
