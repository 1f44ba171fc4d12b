#include "bench/bench_invocation.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <unistd.h>

#include "launcher/process_table.hpp"
#include "substrate/environment.hpp"
#include "world/join.hpp"

namespace boxcar::tool {
namespace {

using words = std::vector<std::string>;

// The names of launchers, which may continue with the name of the implementation, as in
// mpirun.openmpi, mpiexec.hydra and mpirun_rsh.
constexpr std::array<std::string_view, 7> launchers{"mpirun", "mpiexec", "orterun", "prterun",
                                                    "prun",   "oshrun",  "shmemrun"};

bool is_launcher(const words& command) {
  const std::string_view path = command.front();
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (name == "boxcar") return command.size() > 1 && command[1] == "run";
  return std::ranges::find(launchers, name.substr(0, name.find_first_of(".-_"))) != launchers.end();
}

// Returns the command line of the nearest launcher among the ancestors of this process. On the
// other nodes of a job there is no launcher; nor is there for srun, as a service of the node starts
// the processes.
std::optional<words> command_of_launcher() {
  if (!detail::has_launcher()) return std::nullopt;
  for (pid_t pid = getppid(); pid > 0; pid = launcher::parent_of(std::to_string(pid))) {
    const words command = launcher::command_of(std::to_string(pid));
    if (!command.empty() && is_launcher(command)) return command;
  }
  return std::nullopt;
}

}  // namespace

bench::invocation invocation_of(const words& command) {
  bench::invocation start{.command = command, .launcher = command_of_launcher()};
  for (const detail::environment_variable& variable : detail::environment_variables()) {
    const char* value = detail::value_of(variable);
    if (value != nullptr) start.environment.emplace_back(variable.name, value);
  }
  return start;
}

}  // namespace boxcar::tool
