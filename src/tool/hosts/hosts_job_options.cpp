#include "hosts/hosts_job_options.hpp"

#include <boxcar/detail/max_pes.hpp>
#include <boxcar/error.hpp>

namespace boxcar::hosts {

void check(const hosts_job_options& options) {
  long long pes = 0;
  for (const host& one : options.hosts) pes += one.pes;
  if (pes > detail::max_pes) {
    throw argument_error("the hosts " + to_text(options.hosts) + " have " + std::to_string(pes) +
                         " PEs, and a world has at most " + std::to_string(detail::max_pes));
  }
  if (options.agent.find_first_not_of(" \t\n") == std::string::npos) {
    throw argument_error("--agent is empty: give a command, such as ssh, or leave it out");
  }
}

}  // namespace boxcar::hosts
