// The program of `boxcar report`.
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <optional>
#include <string>

#include <boxcar/error.hpp>

#include "arguments.hpp"
#include "basis/printable.hpp"
#include "report/report_command.hpp"
#include "substrate/environment.hpp"
#include "usage.hpp"

namespace boxcar::tool {
namespace {

int run(int argc, char** argv) {
  CLI::App app("Show what PEs did, from what they wrote because of BOXCAR_TRACE=FILE",
               "boxcar report");
  report_request wanted;
  app.add_option("FILE", wanted.files, "What they wrote; all files of a job, if several")
      ->required();
  app.add_option("-o", wanted.output, "The page to write (default: the first FILE with .html)")
      ->type_name("OUT.html");
  if (const std::optional<int> status = parse_arguments(app, argc, argv)) return *status;
  if (!detail::first_of_job()) return 0;
  try {
    report_command(wanted, std::cout);
    return 0;
  } catch (const argument_error& e) {
    return complain_of_usage(std::string("boxcar report: ") + e.what());
  }
}

}  // namespace
}  // namespace boxcar::tool

int main(int argc, char** argv) {
  boxcar::tool::open_standard_descriptors();
  try {
    return boxcar::tool::end_of_output("boxcar report", boxcar::tool::run(argc, argv));
  } catch (const std::exception& e) {
    std::cerr << "boxcar report: " << boxcar::detail::printable(e.what()) << '\n';
    return 1;
  }
}
