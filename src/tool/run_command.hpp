// `boxcar run`: starts a program as the PEs of one world.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "hosts/agent.hpp"
#include "launcher/job.hpp"

namespace boxcar::tool {

struct run_request {
  launcher::job_options job;
  std::string hosts;     // "a:4,b:4"; empty: the PEs run here
  std::string hostfile;  // a file with the hosts instead
  std::string agent = hosts::default_agent;
  std::chrono::nanoseconds time_for_agents = std::chrono::seconds(60);
  std::vector<std::string> environment;  // "NAME" or "NAME=VALUE", for PEs on hosts
  bool threads = false;                  // PEs are threads of one process
  bool ends_with_parent = false;         // the thread that started this process
  std::vector<std::string> program;      // and its arguments

  [[nodiscard]] bool is_on_hosts() const { return !hosts.empty() || !hostfile.empty(); }
};

// Returns the exit status, or does not return if the program replaces this process. Throws
// boxcar::error if nothing was started.
int run_command(const run_request& request);

}  // namespace boxcar::tool
