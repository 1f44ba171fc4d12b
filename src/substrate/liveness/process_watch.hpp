// A process_watch finds out whether the process of another PE of the node still exists. Most
// launchers end a job after a process was killed; some launchers do not.
#pragma once

#include <sys/types.h>

#include "substrate/liveness/peer_watch.hpp"
#include "substrate/liveness/presence_word.hpp"

namespace boxcar::detail {

class process_watch final : public peer_watch {
 public:
  struct member {
    int pe;  // the rank in the job
    pid_t process;
    const presence_word& presence;
  };

  // Precondition: the other PE has attached to its world, and the watching PE has seen the
  // attachment.
  process_watch(int own_rank, const member& other);
  ~process_watch() override;

 private:
  [[nodiscard]] finding look() override;
  [[nodiscard]] std::string name() const override;
  [[nodiscard]] bool has_left() const override;

  member other_;
  std::uint32_t world_;
  int descriptor_;  // of the process; -1 if the kernel has none
};

}  // namespace boxcar::detail
