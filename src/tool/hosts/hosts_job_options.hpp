// The options of a job on several hosts: the program, and the hosts.
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
  std::chrono::nanoseconds time_for_agents{};  // to start `boxcar`
  std::vector<std::string> program;            // and its arguments
  std::string folder;                          // the folder of the program
  std::vector<std::string> environment;  // "NAME=VALUE", added to the environment of the hosts
  bool label = false;                    // prefix every line of output with "[rank] "
  std::optional<std::chrono::nanoseconds> timeout = std::nullopt;  // end everything after this time
};

// Throws argument_error if the options are impossible.
void check(const hosts_job_options& options);

}  // namespace boxcar::hosts
