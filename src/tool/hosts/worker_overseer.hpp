// The connection of the process that starts the PEs of a host to the whole job: the node front
// beside the process, which talks to the launcher.
#pragma once

#include <optional>
#include <poll.h>
#include <string>
#include <vector>

#include "hosts/channel.hpp"
#include "launcher/larger_job.hpp"

namespace boxcar::hosts {

class worker_overseer final : public launcher::overseer {
 public:
  explicit worker_overseer(channel to) : to_(std::move(to)) {}

  void watch(std::vector<pollfd>& sources) const override { to_.watch(sources); }
  std::optional<launcher::order> next() override;
  void ends(const launcher::verdict& why, const std::vector<int>& running,
            const std::string& doing) override;
  void have_ended(const std::vector<int>& absent) override;

 private:
  channel to_;
};

}  // namespace boxcar::hosts
