// Whether the network still leads to a PE of another node. A machine that loses power, or whose
// cable is cut, says nothing; so each PE holds a connection, over which nothing is ever sent, to
// one of the next node, and has the kernel ask the other kernel whether it is there. Kernels answer
// by themselves: a PE may compute, or be stopped, for as long as it likes. They also say when the
// process at the other end is gone, for launchers that let a job go on without one of its
// processes.
//
// The nodes watch one another in a circle. Whichever of them are cut off from the rest, one of
// these watches one of the rest, and one of the rest watches one of these; both then tell the PEs
// that they reach.
#pragma once

#include <chrono>
#include <string>

namespace boxcar::detail {

class node_watch {
 public:
  using clock = std::chrono::steady_clock;

  // PEs of other nodes can watch this one from now on, by this address of its node, "10.0.0.1" for
  // instance; if empty, by one of the node's own. `patience`: for how long a node may be silent,
  // and at least two seconds; 0: this PE watches nobody.
  node_watch(int own_rank, std::string address, std::chrono::seconds patience);
  node_watch(const node_watch&) = delete;
  node_watch& operator=(const node_watch&) = delete;
  ~node_watch();

  // Where this PE can be watched, for the one who does it; a text, in any case.
  [[nodiscard]] const std::string& place() const { return place_; }
  // Watches this PE, which has that place. If there is no way there, it is not watched. That its
  // process has ended is a loss if this one still asks a while later: the launcher, or the PE
  // itself, would have told of an end that is an error, and no PE ends before all have left.
  void watch(int pe, const std::string& place);

  // That this PE has lost the other, in words, from then on; empty before. To be called often: it
  // rarely asks the system.
  [[nodiscard]] const std::string& loss(clock::time_point now);

 private:
  enum class state { unwatched, connecting, watched, ended };

  void listen(const std::string& address);
  void look(clock::time_point now);
  void stop();

  int own_rank_;
  std::chrono::seconds patience_;
  std::string place_ = "nowhere";
  int listening_ = -1;
  int connection_ = -1;
  state state_ = state::unwatched;
  clock::time_point next_look_;
  clock::time_point ended_at_;
  std::string other_;  // "PE 2 on node0 (10.0.0.2)"
  std::string loss_;
};

}  // namespace boxcar::detail
