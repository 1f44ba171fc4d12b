// Starts the PEs of a job on several hosts, watches them, and leaves nothing behind: what
// launcher/job.hpp does on one, with a `boxcar` on each host that does it there.
//
// That is started by an agent, such as ssh, whose standard input and output are all that the two
// say to one another by: there is no second connection, and so no port for a firewall to close, and
// no secret to keep.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "hosts/host_list.hpp"

namespace boxcar::hosts {

struct hosts_job_options {
  std::vector<host> hosts;
  std::string agent;                           // see agent.hpp
  std::chrono::nanoseconds time_for_agents{};  // to bring `boxcar` to life
  std::vector<std::string> program;            // and its arguments
  std::string folder;                          // to start it in
  std::vector<std::string> environment;        // "NAME=VALUE", to be added to that of the hosts
  bool label = false;                          // prefix every line of output with "[rank] "
  std::optional<std::chrono::nanoseconds> timeout = std::nullopt;  // end everything after this time
};

// Throws argument_error if the options cannot work.
void check(const hosts_job_options& options);

// Runs the program and returns as launcher::run_job does; 1 also, after a message, if a host cannot
// be used, or is lost. To be called as that.
int run_job(const hosts_job_options& options);

}  // namespace boxcar::hosts
