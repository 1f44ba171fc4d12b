#include "external_command.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include "find_program.hpp"
#include "launcher/job.hpp"
#include "own_folder.hpp"

namespace boxcar::tool {
namespace {

constexpr const char* of_the_package =
    "install the whole package, or build the target of that name";
constexpr const char* simulated_machine =
    "Boxcar was built without the simulated machine, which needs Boost.Context (Debian: "
    "libboost-context-dev); build it where that is installed";

constexpr const char* libfabric =
    "Boxcar was built without libfabric; build it where libfabric and its headers are installed";

constexpr std::array<external_command, 5> commands{{
    {"bench", "Measure how fast items travel", of_the_package},
    {"calibrate", "Measure what is fastest on this machine, for all programs", of_the_package},
    {"report", "Show what PEs did, from what they wrote because of BOXCAR_TRACE=FILE",
     of_the_package},
    {"simulate", "Run a program, built as a module, on the PEs of a simulated machine",
     simulated_machine},
    {"plan", "Tell how to configure a conveyor for a machine and its network, and what to expect",
     simulated_machine},
}};

std::string reason_if_missing(const std::string& command) {
  if (command == "probe") return libfabric;
  const auto known = std::ranges::find(commands, command, &external_command::name);
  return known == commands.end() ? of_the_package : known->needs;
}

}  // namespace

std::span<const external_command> external_commands() {
  return commands;
}

std::string find_external(const std::string& command) {
  const std::string name = "boxcar-" + command;
  std::error_code problem;
  const auto beside = own_folder() / name;
  if (std::filesystem::exists(beside, problem)) return beside.string();
  try {
    return find_program(name);
  } catch (const launcher::cannot_start&) {
    return {};
  }
}

void execute_external(const std::string& self, const std::string& command,
                      const std::vector<std::string>& words) {
  const std::string program = find_external(command);
  if (program.empty()) {
    throw launcher::cannot_start("there is no boxcar-" + command + " beside " +
                                     own_folder().string() +
                                     "/boxcar, or in PATH: " + reason_if_missing(command),
                                 127);
  }
  std::vector<std::string> all{self + " " + command};
  all.insert(all.end(), words.begin(), words.end());
  execute_program(program, all);
}

}  // namespace boxcar::tool
