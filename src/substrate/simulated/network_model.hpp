// The arrival times of messages between nodes: LogGP, with one adapter for each node and direction,
// which takes one buffer after the other (as LogGOPSim computes), and the links between the
// adapters.
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
  // Throws argument_error if a cost is negative or no number, or the topology is impossible.
  network_model(const simulated_network& costs, int nodes, std::uint64_t seed = 1);

  // Returns how long the core of a sender or a receiver is busy with `bytes` bytes.
  [[nodiscard]] moment core_time(std::size_t bytes) const {
    return from_nanoseconds(far_.overhead + rest(bytes) * far_.overhead_per_byte);
  }
  // Returns when the sender's adapter lets go a buffer handed over by the core at `now`.
  [[nodiscard]] moment enter(int node, std::size_t bytes, moment now) {
    return take(leaving_[static_cast<std::size_t>(node)], bytes, now);
  }
  // Lets a passage take the next link of its path. Called at each `head`, as long as move_on
  // returns true.
  bool move_on(passage& p) { return links_->move_on(p); }
  // Returns the least latency from the adapter of a node to the adapter of another node.
  [[nodiscard]] moment min_latency() const { return from_nanoseconds(far_.latency); }
  [[nodiscard]] bool has_links() const { return links_ != nullptr; }
  // Returns when a passage at the end of its path begins to arrive at the other node.
  [[nodiscard]] moment reach(const passage& p) const;
  // Returns when a buffer whose arrival begins at `now` is in the memory of the node.
  [[nodiscard]] moment arrive(int node, std::size_t bytes, moment now) {
    return take(arriving_[static_cast<std::size_t>(node)], bytes, now) + time_in_adapter(bytes);
  }
  // Returns the time to get `bytes` bytes from the memory of a PE of another node.
  [[nodiscard]] moment fetch_time(int from, int to, std::size_t bytes) const {
    return 2 * (core_time(0) + latency(from, to)) + time_in_adapter(bytes);
  }
  // Returns the time from a store until another PE of the node sees the store; near_core_time is
  // the cost for the core.
  [[nodiscard]] moment near_latency() const { return from_nanoseconds(near_.latency); }
  [[nodiscard]] moment near_core_time() const { return from_nanoseconds(near_.overhead); }
  // Returns 0 if each PE has a core.
  [[nodiscard]] int cores_per_node() const { return cores_per_node_; }
  // Returns the cost for the core when a PE goes on after a wait, if PEs share cores.
  [[nodiscard]] moment time_to_change() const { return from_nanoseconds(core_.change); }
  // Returns true if adapters do the work on arrivals, and not the PEs.
  [[nodiscard]] bool has_offload() const { return offload_; }
  // Returns how long the core is busy with packets.
  [[nodiscard]] moment time_for(const packet_work& work) const;
  // Returns the time of a collective of `bytes` bytes after the last PE has come: a tree over the
  // nodes and a tree within each node.
  [[nodiscard]] moment collective(int nodes, int largest_node, std::size_t bytes) const;

 private:
  // Returns the number of bytes beyond the first.
  static double rest(std::size_t bytes) {
    return bytes == 0 ? 0.0 : static_cast<double>(bytes - 1);
  }
  [[nodiscard]] moment time_in_adapter(std::size_t bytes) const {
    return from_nanoseconds(rest(bytes) * far_.gap_per_byte);
  }
  // Returns when the adapter begins with a buffer.
  [[nodiscard]] moment take(moment& is_free, std::size_t bytes, moment now) const {
    const moment begin = is_free > now ? is_free : now;
    is_free = begin + from_nanoseconds(far_.gap) + time_in_adapter(bytes);
    return begin;
  }
  [[nodiscard]] moment unloaded_latency(const simulated_network& costs, int nodes,
                                        std::uint64_t seed) const;
  // Returns the latency beside the latency of links.
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
  moment typical_latency_ = 0;   // between distant nodes, when nothing else is sent
  std::vector<moment> leaving_;  // the adapter of the node is busy until then
  std::vector<moment> arriving_;
};

}  // namespace boxcar::detail
