// The `boxcar` command: reads the command line and hands over to a subcommand.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <fcntl.h>
#include <iostream>
#include <string>
#include <unistd.h>
#include <vector>

#include <boxcar/error.hpp>
#include <boxcar/version.hpp>

#include "bench_command.hpp"
#include "bench_options.hpp"
#include "info_command.hpp"
#include "report/report_command.hpp"
#include "run_command.hpp"
#include "substrate/environment.hpp"

namespace boxcar::tool {
namespace {

constexpr int wrong_usage = 2;

// If one of them is closed, the next file opened would take its place and receive what is printed.
void open_standard_descriptors() {
  int lowest = 0;
  do {
    lowest = open("/dev/null", O_RDWR);
  } while (lowest >= 0 && lowest <= STDERR_FILENO);
  if (lowest > STDERR_FILENO) close(lowest);
}

std::string check_whole_number(const std::string& text) {
  int value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, value);
  if (problem == std::errc() && rest == end) return "";
  return "\"" + text + "\" is not a whole number, or too large";
}

std::string check_seconds(const std::string& text) {
  constexpr double most = 1e9;
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, value);
  if (problem == std::errc() && rest == end && value > 0 && value <= most) return "";
  return "\"" + text + "\" is not a number of seconds greater than 0 and up to 1e9";
}

class run_formatter : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App*, std::string) const override {
    return "Usage: boxcar run -n N [OPTIONS] -- PROGRAM [ARGUMENTS]\n";
  }
};

struct command_line {
  std::vector<std::string> words;    // up to "--"
  std::vector<std::string> program;  // what follows
};

command_line read_command_line(int argc, char** argv) {
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  const auto end = std::find(words.begin(), words.end(), "--");
  command_line line;
  line.words.assign(words.begin(), end);
  if (end != words.end()) line.program.assign(end + 1, words.end());
  return line;
}

CLI::App* add_run(CLI::App& app, run_request& request) {
  CLI::App* run = app.add_subcommand("run", "Start a program as the PEs of one world");
  run->add_option("-n", request.job.pes, "Number of PEs")
      ->required()
      ->type_name("N")
      ->check(check_whole_number);
  run->add_option("--nodes", request.job.nodes,
                  "Spread the PEs over this many pretended nodes (default 1)")
      ->type_name("K")
      ->check(check_whole_number);
  run->add_flag("--label", request.job.label,
                "Begin each line of output with its PE, as in \"[3] \"");
  const auto set_timeout = [&request](double seconds) {
    request.job.timeout = std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::duration<double>(seconds));
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

CLI::App* add_report(CLI::App& app, report_request& wanted) {
  CLI::App* report = app.add_subcommand(
      "report", "Show what PEs did, from what they wrote because of BOXCAR_TRACE=FILE");
  report->add_option("FILE", wanted.files, "What they wrote; all files of a job, if several")
      ->required();
  report->add_option("-o", wanted.output, "The page to write (default: the first FILE with .html)")
      ->type_name("OUT.html");
  return report;
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

void check_command(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.empty() || words.front().starts_with('-')) return;
  std::vector<std::string> known;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    known.push_back(command->get_name());
  }
  if (std::ranges::find(known, words.front()) != known.end()) return;
  throw CLI::ParseError("\"" + words.front() + "\" is no command of boxcar; there are " +
                            CLI::detail::join(known, ", "),
                        CLI::ExitCodes::ExtrasError);
}

// Every process of a launcher's job reads the same words, and one complains. The others end as if
// all were well, or the launcher might end the one that does.
int complain_of_usage(const std::string& complaint) {
  if (!detail::first_of_job()) return 0;
  std::cerr << complaint << '\n';
  return wrong_usage;
}

int run_bench(const bench::request& wanted, int argc, char** argv) {
  try {
    return bench_command(wanted, {argv, argv + argc});
  } catch (const argument_error& e) {
    return complain_of_usage(std::string("boxcar bench: ") + e.what());
  } catch (const std::exception& e) {
    std::cerr << "boxcar bench: " << e.what() << '\n';
    return 1;
  }
}

int run_report(const report_request& wanted) {
  if (!detail::first_of_job()) return 0;
  try {
    report_command(wanted, std::cout);
    return 0;
  } catch (const argument_error& e) {
    return complain_of_usage(std::string("boxcar report: ") + e.what());
  } catch (const std::exception& e) {
    std::cerr << "boxcar report: " << e.what() << '\n';
    return 1;
  }
}

int run_tool(int argc, char** argv) {
  command_line line = read_command_line(argc, argv);
  CLI::App app("Boxcar: fine-grained many-to-many communication at the speed of large messages",
               "boxcar");
  app.set_version_flag("--version", std::string("boxcar ") + version);
  app.require_subcommand(1);
  run_request request;
  const CLI::App* run = add_run(app, request);
  bench::request benchmark;
  const CLI::App* bench = add_bench(app, benchmark);
  report_request report;
  const CLI::App* reporting = add_report(app, report);
  CLI::App* info = app.add_subcommand(
      "info", "Show the version, commit, substrates, cores, and environment variables of Boxcar");
  bool probe = false;
  info->add_flag("--probe", probe,
                 "Try instead what each provider of libfabric can do, which takes some seconds");

  try {
    check_command(app, line.words);
    std::reverse(line.words.begin(), line.words.end());  // as the parser expects them
    app.parse(std::move(line.words));
  } catch (const CLI::Success& e) {
    return detail::first_of_job() ? app.exit(e) : 0;
  } catch (const CLI::ParseError& e) {
    return complain_of_usage(
        std::string("boxcar: ") + e.what() +
        "\nboxcar --help, boxcar run --help and boxcar bench --help tell more");
  }
  if (bench->parsed()) return run_bench(benchmark, argc, argv);
  if (reporting->parsed()) return run_report(report);
  if (info->parsed()) {
    if (!detail::first_of_job()) return 0;
    if (probe) return probe_command(std::cout);
    info_command(std::cout);
    return 0;
  }
  request.program = program_of(*run, line);
  check_threads_options(request);
  return run_command(request);
}

}  // namespace
}  // namespace boxcar::tool

int main(int argc, char** argv) {
  boxcar::tool::open_standard_descriptors();
  try {
    return boxcar::tool::run_tool(argc, argv);
  } catch (const boxcar::launcher::cannot_start& e) {
    std::cerr << "boxcar run: " << e.what() << '\n';
    return e.status();
  } catch (const boxcar::argument_error& e) {
    std::cerr << "boxcar run: " << e.what() << '\n';
    return boxcar::tool::wrong_usage;
  } catch (const std::exception& e) {
    std::cerr << "boxcar run: " << e.what() << '\n';
    return 1;
  }
}
