// The program of `boxcar simulate`: runs a program built as a module on the PEs of a simulated
// machine. The simulator is a separate program, as the modules take all parts of Boxcar from it.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

#include <boxcar/error.hpp>

#include "basis/printable.hpp"
#include "option_values.hpp"
#include "simulator/account.hpp"
#include "simulator/ending.hpp"
#include "simulator/network_names.hpp"
#include "simulator/private_data.hpp"
#include "simulator/program_module.hpp"
#include "simulator/stall_alarm.hpp"
#include "substrate/environment.hpp"
#include "substrate/simulated/memory_need.hpp"
#include "usage.hpp"
#include "world/hosted_pe.hpp"
#include "world/simulate_programs.hpp"

namespace boxcar::simulator {
namespace {

constexpr int failure = 1;

struct request {
  simulate_options machine;
  std::string network;
  bool names_network = false;
  std::string json;
  bool quiet = false;
  std::vector<std::string> program;  // and its arguments
};

class formatter : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App*, std::string) const override {
    return "Usage: boxcar simulate --pes N [OPTIONS] -- MODULE [ARGUMENTS]\n";
  }
};

void add_options(CLI::App& app, request& wanted) {
  simulate_options& machine = wanted.machine;
  app.add_option("--pes", machine.pes, "Number of PEs")
      ->type_name("N")
      ->required()
      ->check(tool::check_whole_number);
  app.add_option("--pes-per-node", machine.pes_per_node,
                 "Number of PEs on each node (default: all on one)")
      ->type_name("N")
      ->check(tool::check_whole_number);
  app.add_option("--network", wanted.network,
                 "The network: a name (" + CLI::detail::join(network_names(), ", ") +
                     ") or a file (default: an adapter of 100 Gb/s to each node)")
      ->type_name("NAME|FILE");
  app.add_option("--seed", machine.seed,
                 "Seed of the random order of events at the same time (default 1)")
      ->type_name("N")
      ->check(tool::check_count<std::uint64_t>);
  app.add_option("--stack", machine.stack_bytes, "Of each PE (default 256KiB)")
      ->type_name("BYTES")
      ->transform(CLI::Validator(tool::read_size, ""));
  const auto set_patience = [&machine](double seconds) {
    machine.patience = std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::duration<double>(seconds));
  };
  app.add_option_function<double>(
         "--patience", set_patience,
         "PEs that wait for so long on the simulated clock while nothing happens are stuck "
         "(default 1)")
      ->type_name("SECONDS")
      ->check(tool::check_seconds);
  app.add_option("--json", wanted.json, "Write what the simulation was to this file")
      ->type_name("FILE");
  app.add_flag("--quiet", wanted.quiet, "Do not print the summary");
  app.footer(
      "MODULE is a program built as a shared library, without Boxcar's, as by\n"
      "    c++ -std=c++20 -O2 -shared -fPIC program.cpp -o program.so\n"
      "Its main is called on every PE, with variables of its own. The exit status is that of the\n"
      "lowest PE that returned another one than 0.");
  app.formatter(std::make_shared<formatter>());
  app.prefix_command();  // the program may follow without "--"
}

// Throws CLI::ParseError, argument_error.
request read(int argc, char** argv, CLI::App& app) {
  request wanted;
  add_options(app, wanted);
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  const auto dashes = std::ranges::find(words, "--");
  if (dashes != words.end()) wanted.program.assign(dashes + 1, words.end());
  words.erase(dashes, words.end());
  std::ranges::reverse(words);  // as the parser expects them
  app.parse(std::move(words));
  wanted.names_network = app.count("--network") != 0;
  const std::vector<std::string> without_dashes = app.remaining();
  if (without_dashes.empty()) return wanted;
  if (!wanted.program.empty() || without_dashes.front().starts_with('-')) {
    throw argument_error("\"" + without_dashes.front() +
                         "\" is no option; the program and its arguments come after --");
  }
  wanted.program = without_dashes;
  return wanted;
}

// Prints the PE of a program that crashes: the crash ends all PEs. (`boxcar run` prints the PE,
// too.)
void tell_crash(int signal) {
  const detail::hosted_pe* here = detail::hosted_pe::current();
  char text[120];
  const int length =
      here == nullptr
          ? 0
          : std::snprintf(
                text, sizeof text,
                "boxcar simulate: PE %d was ended by signal %d (%s); if it needs a larger "
                "stack, give --stack\n",
                here->rank(), signal, sigabbrev_np(signal));
  if (length > 0) static_cast<void>(!write(STDERR_FILENO, text, static_cast<std::size_t>(length)));
  raise(signal);  // with its usual effect
}

void tell_crashes() {
  static std::array<std::byte, 64 << 10> stack;  // the stack of the PE may be full
  const stack_t other{.ss_sp = stack.data(), .ss_flags = 0, .ss_size = stack.size()};
  sigaltstack(&other, nullptr);
  struct sigaction action {};
  action.sa_handler = tell_crash;
  action.sa_flags = static_cast<int>(SA_ONSTACK | SA_RESETHAND);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    sigaction(signal, &action, nullptr);
}

int run_main(const program_module& program, const std::vector<std::string>& words, int rank) {
  const auto end = [rank](const std::string& what) {
    std::fflush(nullptr);
    std::cerr << "boxcar simulate: PE " << rank << ": main has thrown " << detail::printable(what)
              << std::endl;
    _exit(failure);
  };
  try {
    return program.run(words);
  } catch (const std::exception& e) {
    end(e.what());
  } catch (...) {
    end("something that is no std::exception");
  }
  return failure;
}

int simulate(request wanted) {
  if (wanted.program.empty()) {
    throw argument_error(
        "there is no program to simulate; give a module, and its arguments, "
        "after --");
  }
  if (wanted.names_network) {
    wanted.machine.network = read_network(find_network(wanted.network));
  }
  // Errors in the file appear now, not after all the work.
  account told(wanted.machine, wanted.network, wanted.json);
  const module_time now;
  const program_module program(wanted.program.front());
  const std::size_t data_bytes = size_of(program.data());
  if (wanted.machine.pes > 0) {
    detail::require_memory_for(wanted.machine.pes, detail::min_bytes_of_pe + data_bytes,
                               detail::physical_memory());
  }
  program.clear();
  std::optional<private_data> data;  // made when the machine has found that it has room for the PEs
  tell_crashes();
  stall_alarm alarm(detail::stall_time_from_environment());
  const auto enter = [&](int rank) {
    if (!data) data.emplace(program.data(), wanted.machine.pes);
    alarm.go_on();
    data->enter(rank);
  };
  const auto [was, status] = detail::simulate_programs(
      wanted.machine,
      {.enter = enter, .main = [&](int rank) { return run_main(program, wanted.program, rank); }});
  std::fflush(stdout);
  std::cout.flush();
  told.close(was, data_bytes);
  if (!wanted.quiet) std::cerr << told.text();
  return status;
}

int run(int argc, char** argv) {
  CLI::App app("Run a program on the PEs of a simulated machine", "boxcar simulate");
  try {
    return simulate(read(argc, argv, app));
  } catch (const CLI::Success& e) {
    return app.exit(e);
  } catch (const CLI::ParseError& e) {
    std::cerr << "boxcar simulate: " << detail::printable(e.what())
              << "\nboxcar simulate --help tells more\n";
    return tool::wrong_usage;
  } catch (const argument_error& e) {
    std::cerr << "boxcar simulate: " << detail::printable(e.what()) << '\n';
    return tool::wrong_usage;
  } catch (const std::exception& e) {
    std::cerr << "boxcar simulate: " << detail::printable(e.what()) << '\n';
    return failure;
  }
}

}  // namespace
}  // namespace boxcar::simulator

int main(int argc, char** argv) {
  boxcar::tool::open_standard_descriptors();
  exit(boxcar::tool::end_of_output("boxcar simulate", boxcar::simulator::run(argc, argv)));
}
