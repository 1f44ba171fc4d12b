// The `boxcar` command: reads the command line, and starts a job, shows information, or becomes the
// program of another command.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include <boxcar/error.hpp>
#include <boxcar/version.hpp>

#include "basis/printable.hpp"
#include "cmake_folder.hpp"
#include "external_command.hpp"
#include "hosts/node.hpp"
#include "info_command.hpp"
#include "option_values.hpp"
#include "run_command.hpp"
#include "substrate/environment.hpp"
#include "usage.hpp"

namespace boxcar::tool {
namespace {

constexpr std::string_view built_in_commands[] = {"run", "info", "node"};

class run_formatter : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App*, std::string) const override {
    return "Usage: boxcar run -n N [OPTIONS] -- PROGRAM [ARGUMENTS]\n"
           "  or:  boxcar run --hosts A:N,B:N [OPTIONS] -- PROGRAM [ARGUMENTS]\n";
  }
};

struct command_line {
  std::vector<std::string> words;    // up to "--"
  std::vector<std::string> program;  // the words after "--"
};

command_line read_command_line(int argc, char** argv) {
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  const auto end = std::find(words.begin(), words.end(), "--");
  command_line line;
  line.words.assign(words.begin(), end);
  if (end != words.end()) line.program.assign(end + 1, words.end());
  return line;
}

std::chrono::nanoseconds nanoseconds_of(double seconds) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::duration<double>(seconds));
}

void add_hosts(CLI::App& run, run_request& request) {
  run.add_option("--hosts", request.hosts,
                 "Hosts, and the number of PEs on each; libfabric connects the hosts")
      ->type_name("A:N,B:N");
  run.add_option("--hostfile", request.hostfile,
                 "The same, from a file with a line \"NAME slots=N\" for each host")
      ->type_name("FILE");
  run.add_option("--agent", request.agent,
                 "Command by which hosts are reached; the host and a command line are appended")
      ->type_name("COMMAND")
      ->capture_default_str();
  const auto set_time = [&request](double seconds) {
    request.time_for_agents = nanoseconds_of(seconds);
  };
  run.add_option_function<double>("--agent-timeout", set_time,
                                  "Time limit for the agent to reach a host (default 60)")
      ->type_name("SECONDS")
      ->check(check_seconds);
  run.add_option("--env", request.environment,
                 "Give this variable to the PEs on hosts; again for each (BOXCAR_..., CONVEY_..., "
                 "FI_..., SHMEM_..., SMA_..., PATH and LD_LIBRARY_PATH they get anyway)")
      ->type_name("NAME[=VALUE]")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

// Throws argument_error.
void check_hosts_options(const CLI::App& run, const run_request& request) {
  const auto is_given = [&run](const char* option) { return run.count(option) > 0; };
  if (!request.is_on_hosts()) {
    for (const char* option : {"--hosts", "--hostfile"}) {
      if (is_given(option)) throw argument_error(std::string(option) + " names no host");
    }
    if (!is_given("-n")) {
      throw argument_error("-n is required: how many PEs? (Or --hosts, with how many on each.)");
    }
    for (const char* option : {"--agent", "--agent-timeout", "--env"}) {
      if (!is_given(option)) continue;
      throw argument_error(std::string(option) +
                           " is for PEs on other hosts; name those by --hosts");
    }
    return;
  }
  if (is_given("--hosts") && is_given("--hostfile")) {
    throw argument_error("--hosts and --hostfile name hosts twice; leave one of them out");
  }
  for (const char* option : {"-n", "--nodes", "--threads"}) {
    if (!is_given(option)) continue;
    throw argument_error(std::string(option) +
                         " is for PEs of this machine; the list of hosts sets "
                         "the number and the place of the PEs: leave " +
                         option + " or the hosts out");
  }
}

CLI::App* add_run(CLI::App& app, run_request& request) {
  CLI::App* run = app.add_subcommand("run", "Start a program as the PEs of one world");
  run->add_option("-n", request.job.pes, "Number of PEs")
      ->type_name("N")
      ->check(check_whole_number);
  run->add_option("--nodes", request.job.nodes,
                  "Spread the PEs over this many pretended nodes (default 1)")
      ->type_name("K")
      ->check(check_whole_number);
  add_hosts(*run, request);
  run->add_flag("--label", request.job.label,
                "Begin each line of output with its PE, as in \"[3] \"");
  const auto set_timeout = [&request](double seconds) {
    request.job.timeout = nanoseconds_of(seconds);
  };
  run->add_option_function<double>(
         "--timeout", set_timeout,
         "End everything after this time, and say what the PEs were doing")
      ->type_name("SECONDS")
      ->check(check_seconds);
  run->add_flag("--end-with-parent", request.ends_with_parent,
                "End everything also when the process that started this one ends");
  run->add_flag("--threads", request.threads, "Make PEs threads of one process");
  run->footer(
      "Each PE is a process. When one fails, the others are ended, and the exit status is its\n"
      "own, or 128 + the number of the signal that killed it; 124 if the time was up.");
  run->formatter(std::make_shared<run_formatter>());
  run->prefix_command();  // the program may follow without "--"
  return run;
}

std::vector<std::string> program_of(const CLI::App& run, const command_line& line) {
  std::vector<std::string> without_dashes = run.remaining();
  if (without_dashes.empty()) return line.program;
  if (!line.program.empty() || without_dashes.front().starts_with('-')) {
    throw argument_error("\"" + without_dashes.front() +
                         "\" is no option; the program and its arguments come after --");
  }
  return without_dashes;
}

void check_threads_options(const run_request& request) {
  if (!request.threads) return;
  if (request.job.label || request.job.timeout) {
    throw argument_error(
        "--label and --timeout need PEs that are processes; leave them or --threads out");
  }
}

// Returns whether a command is a separate program: a command that comes with Boxcar, or any
// boxcar-NAME in PATH.
bool is_external(const std::string& command) {
  if (command.empty() || command.starts_with('-') || command.find('/') != std::string::npos ||
      std::ranges::find(built_in_commands, command) != std::end(built_in_commands)) {
    return false;
  }
  const auto known = external_commands();
  return std::ranges::find(known, command, &external_command::name) != known.end() ||
         !find_external(command).empty();
}

void check_command(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.empty() || words.front().starts_with('-')) return;
  if (words.front() == "node") return;
  std::vector<std::string> known;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!command->get_group().empty()) known.push_back(command->get_name());
  }
  if (std::ranges::find(known, words.front()) != known.end()) return;
  throw CLI::ParseError("\"" + words.front() + "\" is no command of boxcar; there are " +
                            CLI::detail::join(known, ", "),
                        CLI::ExitCodes::ExtrasError);
}

// Becomes the program of a command. The program parses the words.
int run_external(const std::string& self, const std::string& command,
                 const std::vector<std::string>& words) {
  try {
    execute_external(self, command, words);
  } catch (const launcher::cannot_start& e) {
    std::cerr << "boxcar " << command << ": " << detail::printable(e.what()) << '\n';
    return e.status();
  }
}

int run_node() {
  try {
    return hosts::run_node();
  } catch (const std::exception& e) {
    std::cerr << "boxcar node: " << detail::printable(e.what()) << '\n';
    return 1;
  }
}

int run_tool(int argc, char** argv) {
  if (argc > 1 && is_external(argv[1])) {
    return run_external(argv[0], argv[1], {argv + 2, argv + argc});
  }
  command_line line = read_command_line(argc, argv);
  CLI::App app("Boxcar: fine-grained many-to-many communication at the speed of large messages",
               "boxcar");
  app.set_version_flag("--version", std::string("boxcar ") + version);
  app.add_flag_callback(
      "--cmake-dir", [] { throw CLI::CallForVersion(cmake_folder(), 0); },
      "Print the folder with the files of CMake, for CMAKE_PREFIX_PATH, and end");
  app.require_subcommand(1);
  run_request request;
  const CLI::App* run = add_run(app, request);
  for (const external_command& command : external_commands()) {
    app.add_subcommand(command.name, command.meaning);
  }
  CLI::App* info = app.add_subcommand(
      "info", "Show the version, commit, substrates, cores, and environment variables of Boxcar");
  // The subcommand that agents start on hosts (hosts/agent.cpp); hidden, as people do not need the
  // subcommand.
  const CLI::App* node = app.add_subcommand("node", "")->group("");
  bool probe = false;
  info->add_flag("--probe", probe,
                 "Try instead what each provider of libfabric can do, which takes some seconds");

  try {
    check_command(app, line.words);
    std::reverse(line.words.begin(), line.words.end());  // as the parser expects them
    app.parse(std::move(line.words));
  } catch (const CLI::Success& e) {
    return detail::first_of_job() ? app.exit(e) : 0;
  } catch (const system_error& e) {
    std::cerr << "boxcar: " << detail::printable(e.what()) << '\n';
    return 1;
  } catch (const CLI::ParseError& e) {
    return complain_of_usage(
        std::string("boxcar: ") + e.what() +
        "\nboxcar --help, boxcar run --help and boxcar bench --help tell more");
  }
  if (info->parsed()) {
    if (!detail::first_of_job()) return 0;
    if (probe) return run_external(argv[0], "probe", {});
    info_command(std::cout);
    return 0;
  }
  if (node->parsed()) return run_node();
  check_hosts_options(*run, request);
  request.program = program_of(*run, line);
  check_threads_options(request);
  return run_command(request);
}

}  // namespace
}  // namespace boxcar::tool

int main(int argc, char** argv) {
  boxcar::tool::open_standard_descriptors();
  try {
    return boxcar::tool::end_of_output("boxcar", boxcar::tool::run_tool(argc, argv));
  } catch (const boxcar::launcher::cannot_start& e) {
    std::cerr << "boxcar run: " << boxcar::detail::printable(e.what()) << '\n';
    return e.status();
  } catch (const boxcar::argument_error& e) {
    std::cerr << "boxcar run: " << boxcar::detail::printable(e.what()) << '\n';
    return boxcar::tool::wrong_usage;
  } catch (const std::exception& e) {
    std::cerr << "boxcar run: " << boxcar::detail::printable(e.what()) << '\n';
    return 1;
  }
}
