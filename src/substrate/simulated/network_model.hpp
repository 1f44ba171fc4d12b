// When what is sent between nodes arrives: LogGP, with one adapter for each node and direction,
// which takes one buffer after the other (LogGOPSim computes it like this), and the links between
// the adapters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <boxcar/network.hpp>

#include "substrate/packet_work.hpp"
#include "substrate/simulated/moment.hpp"
#include "substrate/simulated/network_links.hpp"

namespace boxcar::detail {

class network_model {
 public:
  // Throws argument_error if a cost is negative or no number, or the topology cannot be.
  network_model(const simulated_network& costs, int nodes, std::uint64_t seed = 1);

  // How long the core of a sender or a receiver is busy with so many bytes.
  [[nodiscard]] moment core_time(std::size_t bytes) const {
    return from_nanoseconds(far_.overhead + rest(bytes) * far_.overhead_per_byte);
  }
  // What the sender's core has handed over at `now` is with the adapter then, which lets it go.
  [[nodiscard]] moment enter(int node, std::size_t bytes, moment now) {
    return take(leaving_[static_cast<std::size_t>(node)], bytes, now);
  }
  // Something that its adapter lets go takes the links of its path; to be called at each `head`, as
  // long as it returns true.
  bool move_on(passage& p) { return links_->move_on(p); }
  // It takes at least so long from the adapter of one node to that of another.
  [[nodiscard]] moment least_latency() const { return from_nanoseconds(far_.latency); }
  [[nodiscard]] bool has_links() const { return links_ != nullptr; }
  // What is at the end of its path begins to arrive at the other node then.
  [[nodiscard]] moment reach(const passage& p) const;
  // What has begun to arrive at `now` is in the memory of the node then.
  [[nodiscard]] moment arrive(int node, std::size_t bytes, moment now) {
    return take(arriving_[static_cast<std::size_t>(node)], bytes, now) + time_in_adapter(bytes);
  }
  // From asking a PE of another node for so many bytes of its memory to having them.
  [[nodiscard]] moment fetch_time(int from, int to, std::size_t bytes) const {
    return 2 * (core_time(0) + latency(from, to)) + time_in_adapter(bytes);
  }
  // From a store to memory to its being seen by another PE of the node, and what it costs the core.
  [[nodiscard]] moment near_latency() const { return from_nanoseconds(near_.latency); }
  [[nodiscard]] moment near_core_time() const { return from_nanoseconds(near_.overhead); }
  // 0: one for each PE.
  [[nodiscard]] int cores_per_node() const { return cores_per_node_; }
  // What it costs the core when a PE that has waited goes on, if PEs share cores.
  [[nodiscard]] moment time_to_change() const { return from_nanoseconds(core_.change); }
  // Adapters do what is to be done when something arrives, and not the PEs.
  [[nodiscard]] bool has_offload() const { return offload_; }
  // How long the core is busy with packets.
  [[nodiscard]] moment time_for(const packet_work& work) const;
  // How long a collective of so many bytes takes when the last of the PEs has come to it: a tree
  // over the nodes and one within each.
  [[nodiscard]] moment collective(int nodes, int largest_node, std::size_t bytes) const;

 private:
  // Bytes beyond the first.
  static double rest(std::size_t bytes) {
    return bytes == 0 ? 0.0 : static_cast<double>(bytes - 1);
  }
  [[nodiscard]] moment time_in_adapter(std::size_t bytes) const {
    return from_nanoseconds(rest(bytes) * far_.gap_per_byte);
  }
  // When the adapter has begun with it.
  [[nodiscard]] moment take(moment& is_free, std::size_t bytes, moment now) const {
    const moment begin = is_free > now ? is_free : now;
    is_free = begin + from_nanoseconds(far_.gap) + time_in_adapter(bytes);
    return begin;
  }
  [[nodiscard]] moment unloaded_latency(const simulated_network& costs, int nodes,
                                        std::uint64_t seed) const;
  // Beside that of links.
  [[nodiscard]] moment latency(int from, int to) const {
    const bool is_other_group = per_group_ != 0 && from / per_group_ != to / per_group_;
    return from_nanoseconds(far_.latency + (is_other_group ? other_group_latency_ : 0.0));
  }

  network_level near_;
  network_level far_;
  core_costs core_;
  int cores_per_node_;
  bool offload_;
  double other_group_latency_;
  int per_group_ = 0;  // nodes; 0: all
  std::unique_ptr<network_links> links_;
  moment typical_latency_ = 0;   // between nodes that are far apart, when nothing else is sent
  std::vector<moment> leaving_;  // until then the adapter of the node is busy
  std::vector<moment> arriving_;
};

}  // namespace boxcar::detail
