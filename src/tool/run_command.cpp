#include "run_command.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <signal.h>
#include <string_view>
#include <sys/prctl.h>
#include <unistd.h>

#include "find_program.hpp"
#include "hosts/hosts_job.hpp"
#include "launcher/guard.hpp"

namespace boxcar::tool {
namespace {

[[noreturn]] void become_program_with_threads(const launcher::job_options& job,
                                              const std::string& path,
                                              const std::vector<std::string>& words) {
  setenv("BOXCAR_PES", std::to_string(job.pes).c_str(), 1);
  setenv("BOXCAR_NODES", std::to_string(job.nodes).c_str(), 1);
  setenv("BOXCAR_THREADS", "1", 1);
  unsetenv("BOXCAR_JOB");  // of a launcher that may have started this launcher
  execute_program(path, words);
}

void end_with_parent() {
  const pid_t parent = getppid();
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) raise(SIGTERM);
}

std::string this_folder() {
  std::error_code problem;
  const auto path = std::filesystem::current_path(problem);
  if (!problem) return path.string();
  throw system_error("the folder in which this was started cannot be named: " + problem.message() +
                     "; start it in another one");
}

bool goes_to_hosts(const std::string& name) {
  constexpr std::array<std::string_view, 5> beginnings{"BOXCAR_", "CONVEY_", "FI_", "SHMEM_",
                                                       "SMA_"};
  return name == "PATH" || name == "LD_LIBRARY_PATH" ||
         std::ranges::any_of(beginnings, [&](auto text) { return name.starts_with(text); });
}

// Returns the variables that Boxcar and libfabric read, the paths of programs and libraries, and
// the variables requested by the user.
std::vector<std::string> environment_for_hosts(const std::vector<std::string>& wanted) {
  std::vector<std::string> all;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string text = *variable;
    if (goes_to_hosts(text.substr(0, text.find('=')))) all.push_back(text);
  }
  for (const std::string& one : wanted) {
    const std::size_t equals = one.find('=');
    if (equals == 0 || one.empty()) {
      throw argument_error("--env \"" + one + "\" lacks the name of a variable");
    }
    if (equals != std::string::npos) {
      all.push_back(one);
    } else if (const char* value = std::getenv(one.c_str())) {
      all.push_back(one + "=" + value);
    } else {
      throw argument_error("--env " + one + ": that variable is not set here; give " + one +
                           "=VALUE, or leave it out");
    }
  }
  return all;
}

int run_on_hosts(const run_request& request) {
  hosts::hosts_job_options job;
  job.hosts = request.hosts.empty() ? hosts::hosts_from_file(request.hostfile)
                                    : hosts::hosts_from_list(request.hosts);
  job.agent = request.agent;
  job.time_for_agents = request.time_for_agents;
  job.program = request.program;
  job.folder = this_folder();
  job.environment = environment_for_hosts(request.environment);
  job.label = request.job.label;
  job.timeout = request.job.timeout;
  hosts::check(job);
  if (request.ends_with_parent) end_with_parent();
  return launcher::run_guarded([&] { return hosts::run_job(job); });
}

}  // namespace

int run_command(const run_request& request) {
  if (request.program.empty()) {
    throw argument_error("there is no program to run; give it, and its arguments, after --");
  }
  if (request.is_on_hosts()) return run_on_hosts(request);
  launcher::check(request.job);
  const std::string path = find_program(request.program.front());
  if (request.ends_with_parent) end_with_parent();
  if (request.threads) become_program_with_threads(request.job, path, request.program);
  return launcher::run_guarded([&] {
    return launcher::run_job(request.job,
                             [&](int) -> int { execute_program(path, request.program); });
  });
}

}  // namespace boxcar::tool
