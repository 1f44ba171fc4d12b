// Whether the process of another PE of this node is still there. Most launchers end a job of which
// a process was killed; some do not mind, and nothing in shared memory changes when a process dies.
//
// The PEs of a node watch one another in a circle. Whichever of them have died, one that lives
// watches one of these, and finds out when it waits.
#pragma once

#include <chrono>
#include <string>
#include <sys/types.h>

#include "substrate/shared_memory/presence_word.hpp"

namespace boxcar::detail {

class process_watch {
 public:
  using clock = std::chrono::steady_clock;

  // How rarely it may be asked: whoever waits need not wait any longer for that.
  static constexpr auto longest_between_looks = std::chrono::milliseconds(200);

  struct member {
    int pe;  // as it is called in the job
    pid_t process;
    const presence_word& presence;
  };
  // The other one has attached to its world, and this PE has seen that.
  process_watch(int own_rank, const member& other);
  process_watch(const process_watch&) = delete;
  process_watch& operator=(const process_watch&) = delete;
  ~process_watch();

  // That this PE has lost the other one, in words, from then on; empty before. Its process has
  // ended in the middle of the world, and the launcher has had time to end the job for that. To be
  // called often: it rarely asks the system.
  [[nodiscard]] const std::string& loss(clock::time_point now);

 private:
  [[nodiscard]] bool has_ended() const;

  int own_rank_;
  member other_;
  std::uint32_t world_;
  int descriptor_;  // of the process; -1 if the kernel has none
  clock::time_point next_look_;
  clock::time_point ended_at_;  // if it has
  std::string loss_;
};

}  // namespace boxcar::detail
