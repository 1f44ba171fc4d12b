// What a job is a part of whose other PEs run on other hosts.
#pragma once

#include <optional>
#include <poll.h>
#include <string>
#include <vector>

#include "launcher/verdict.hpp"

namespace boxcar::launcher {

enum class order {
  end,
  describe_and_end,  // tell what the PEs are doing, and end
  stop,              // as Ctrl-Z
  go_on,
};

// By whom the part hears of the whole. Ranks are those in the whole job.
class overseer {
 public:
  virtual ~overseer() = default;

  // Adds what poll is to wait for.
  virtual void watch(std::vector<pollfd>& sources) const = 0;
  // The next order that has come. If nobody is there any more, that is to end.
  virtual std::optional<order> next() = 0;

  // The PEs of this part, of which these still run, are being ended for this reason, or because of
  // an order: then with what one of them has told of its failure, or no message. `doing`: what they
  // were doing, if the order asks for it.
  virtual void ends(const verdict& why, const std::vector<int>& running,
                    const std::string& doing) = 0;
  // All PEs have ended; these never joined the world.
  virtual void have_ended(const std::vector<int>& absent) = 0;
};

struct larger_job {
  overseer* over;
  int pes;         // of the whole
  int first_rank;  // of the first PE of this part
  // Of the socket by which the first PE here meets those of the other parts; -1 if there are none.
  int meeting_descriptor;
  bool terminal;  // standard error, where it ends, is one
};

}  // namespace boxcar::launcher
