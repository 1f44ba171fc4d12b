// The program of `boxcar bench`.
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include <boxcar/error.hpp>

#include "arguments.hpp"
#include "basis/printable.hpp"
#include "bench/bench_command.hpp"
#include "bench/bench_options.hpp"
#include "usage.hpp"

namespace boxcar::tool {
namespace {

// Returns the command line as typed by the user. `boxcar bench` passes "boxcar bench" as the name
// of this program.
std::vector<std::string> command_line(int argc, char** argv) {
  std::vector<std::string> all(argv, argv + argc);
  const std::size_t space = all.front().rfind(" bench");
  if (space != std::string::npos) {
    all.insert(all.begin() + 1, all.front().substr(space + 1));
    all.front().resize(space);
  }
  return all;
}

int run(int argc, char** argv) {
  CLI::App app("Measure how fast items travel", "boxcar bench");
  bench::request wanted;
  add_bench_options(app, wanted);
  if (const std::optional<int> status = parse_arguments(app, argc, argv)) return *status;
  try {
    return bench_command(wanted, command_line(argc, argv));
  } catch (const argument_error& e) {
    return complain_of_usage(std::string("boxcar bench: ") + e.what());
  }
}

}  // namespace
}  // namespace boxcar::tool

int main(int argc, char** argv) {
  boxcar::tool::open_standard_descriptors();
  try {
    return boxcar::tool::end_of_output("boxcar bench", boxcar::tool::run(argc, argv));
  } catch (const std::exception& e) {
    std::cerr << "boxcar bench: " << boxcar::detail::printable(e.what()) << '\n';
    return 1;
  }
}
