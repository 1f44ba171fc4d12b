// The interface between the job of a host and the larger job around the job, with PEs on other
// hosts.
#pragma once

#include <optional>
#include <poll.h>
#include <string>
#include <vector>

#include "launcher/verdict.hpp"

namespace boxcar::launcher {

enum class order {
  end,
  describe_and_end,  // report the activities of the PEs, and end
  stop,              // as Ctrl-Z
  go_on,
};

// The connection of the host's job to the larger job. Ranks are ranks in the larger job.
class overseer {
 public:
  virtual ~overseer() = default;

  // Adds the descriptors for poll.
  virtual void watch(std::vector<pollfd>& sources) const = 0;
  // Returns the next order that has come. A lost connection counts as the order to end.
  virtual std::optional<order> next() = 0;

  // Reports that the PEs of this host are being ended, of which `running` still run. `why` is the
  // reason; if the reason is an order, `why` has the failure reported by a PE, or no message.
  // `doing`: the activities of the PEs, if the order asks for them.
  virtual void ends(const verdict& why, const std::vector<int>& running,
                    const std::string& doing) = 0;
  // Reports that all PEs have ended; the PEs in `absent` never joined the world.
  virtual void have_ended(const std::vector<int>& absent) = 0;
};

struct larger_job {
  overseer* over;
  int pes;         // of the larger job
  int first_rank;  // of the first PE on this host
  // The socket for the bootstrap of the first PE on this host with the other hosts; -1 if there are
  // none.
  int bootstrap_descriptor;
  bool terminal;  // whether standard error ends at a terminal
};

}  // namespace boxcar::launcher
