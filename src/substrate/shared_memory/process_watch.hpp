// A process_watch finds out whether the process of another PE of this node still exists. Most
// launchers end a job after a process was killed; some launchers do not, and nothing in shared
// memory changes when a process dies.
//
// The PEs of a node watch one another in a circle. Whichever PEs have died, a living PE watches a
// dead PE, and finds out during a wait.
#pragma once

#include <chrono>
#include <string>
#include <sys/types.h>

#include "substrate/shared_memory/presence_word.hpp"

namespace boxcar::detail {

class process_watch {
 public:
  using clock = std::chrono::steady_clock;

  // The longest time between two calls of `loss`: a waiting PE blocks for no longer.
  static constexpr auto longest_between_looks = std::chrono::milliseconds(200);

  struct member {
    int pe;  // the rank in the job
    pid_t process;
    const presence_word& presence;
  };
  // Precondition: the other PE has attached to its world, and this PE has seen the attachment.
  process_watch(int own_rank, const member& other);
  process_watch(const process_watch&) = delete;
  process_watch& operator=(const process_watch&) = delete;
  ~process_watch();

  // Returns an error text from the loss of the other PE on; empty before. The other PE is lost if
  // the process has ended in the middle of the world, and the launcher has had time to end the job.
  // `loss` is called often, and rarely asks the system.
  [[nodiscard]] const std::string& loss(clock::time_point now);

 private:
  [[nodiscard]] bool has_ended() const;

  int own_rank_;
  member other_;
  std::uint32_t world_;
  int descriptor_;  // of the process; -1 if the kernel has none
  clock::time_point next_look_;
  clock::time_point ended_at_;  // if the process has ended
  std::string loss_;
};

}  // namespace boxcar::detail
