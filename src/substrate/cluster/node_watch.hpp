// A node_watch detects that the network no longer leads to a PE of another node. A machine that
// loses power, or whose cable is cut, says nothing. So each PE holds an idle connection to a PE of
// the next node, and has the kernel probe the other kernel. Kernels answer by themselves: a PE may
// compute, or be stopped, for as long as it likes. Kernels also report the end of the process at
// the other end, for launchers that let a job go on without one of its processes.
//
// The nodes watch one another in a circle. Whichever nodes are cut off from the rest: a node of the
// cut-off set watches a node of the rest, and a node of the rest watches a node of the set. Both
// then notify the PEs within their reach.
#pragma once

#include <chrono>
#include <string>

#include "substrate/liveness/peer_watch.hpp"

namespace boxcar::detail {

class node_watch final : public peer_watch {
 public:
  // From now on PEs of other nodes can watch this PE, by the address `address` of the node,
  // "10.0.0.1" for instance; if empty, by any address of the node. `patience`: for how long a node
  // may be silent, at least two seconds; 0: this PE watches no PE.
  node_watch(int own_rank, std::string address, std::chrono::seconds patience);
  ~node_watch() override;

  // Returns where this PE can be watched, as a text for the watching PE; never empty.
  [[nodiscard]] const std::string& place() const { return place_; }
  // Watches PE `pe`, with the place() `place`. A PE without a connection is not watched. No PE ends
  // before all PEs have left.
  void watch(int pe, const std::string& place);

 private:
  enum class state { unwatched, connecting, watched };

  [[nodiscard]] finding look() override;
  [[nodiscard]] std::string name() const override { return other_; }
  void listen(const std::string& address);
  void stop();

  std::chrono::seconds patience_;
  std::string place_ = "nowhere";
  int listening_ = -1;
  int connection_ = -1;
  state state_ = state::unwatched;
  std::string other_;  // "PE 2 on node0 (10.0.0.2)"
};

}  // namespace boxcar::detail
