// The program of `boxcar calibrate`: measures the fastest algorithms on a machine, and keeps the
// result in a file that every program of the user reads.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <boxcar/error.hpp>
#include <boxcar/run.hpp>

#include "arguments.hpp"
#include "basis/printable.hpp"
#include "calibrate/timing.hpp"
#include "collective/calibration.hpp"
#include "launcher/guard.hpp"
#include "launcher/job.hpp"
#include "launcher/result_file.hpp"
#include "option_values.hpp"
#include "substrate/calibration_file.hpp"
#include "substrate/replace_file.hpp"
#include "substrate/usable_cores.hpp"
#include "usage.hpp"

namespace boxcar::tool {
namespace {

using detail::measured_way;

struct request {
  std::vector<int> pes;
  double seconds = 20;
  std::string output;
};

class formatter : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App*, std::string) const override {
    return "Usage: boxcar calibrate [OPTIONS]\n";
  }
};

void add_options(CLI::App& app, request& wanted) {
  app.add_option("--pes", wanted.pes,
                 "Numbers of PEs to measure (default: 2, 4, 8, 16, as far as there are cores)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("N,...")
      ->check(CLI::Validator(check_count<int>, ""));
  app.add_option("--seconds", wanted.seconds, "About how long to measure, in all (default 20)")
      ->type_name("S")
      ->check(CLI::Validator(check_seconds, ""));
  app.add_option("--output", wanted.output,
                 "The file to write (default: where programs on this machine look for it)")
      ->type_name("FILE");
  app.footer(
      "Measures which algorithms of collectives are the fastest within this machine; programs\n"
      "then follow the file (docs/collectives.md). Nothing else should run meanwhile.");
  app.formatter(std::make_shared<formatter>());
}

std::vector<int> usual_numbers() {
  const int cores = detail::count(detail::usable_cores());
  std::vector<int> numbers{2};
  for (int pes = 4; pes <= std::min(cores, 16); pes *= 2) numbers.push_back(pes);
  return numbers;
}

// Returns the rows; throws world_error if the PEs failed, and have printed the reason.
std::vector<measured_way> measure_on(int pes, std::chrono::nanoseconds time) {
  const launcher::result_file result;
  const auto be_pe = [&](int) {
    return run([&](world& w) {
      const std::vector<measured_way> rows = measure_collectives(w, time);
      if (w.rank() == 0) result.write(detail::calibration_text(rows));
    });
  };
  launcher::job_options job;
  job.pes = pes;
  const int status = launcher::run_guarded([&] { return launcher::run_job(job, be_pe); });
  if (status != 0) throw world_error("the measurement on " + std::to_string(pes) + " PEs failed");
  return detail::parse_calibration(result.read(), "the result");
}

std::string text_of_changes(const std::vector<measured_way>& rows) {
  const auto differs = [](const measured_way& row) {
    return !is_same_way(row,
                        detail::way_table::built_in().find(row.kind, row.pes, row.above_bytes + 1));
  };
  return std::to_string(std::ranges::count_if(rows, differs)) + " of " +
         std::to_string(rows.size()) + " choices differ from those that Boxcar comes with";
}

void make_folder_of(const std::string& file) {
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  if (folder.empty()) return;
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem) throw system_error("cannot make the folder of " + file + ": " + problem.message());
}

// Refuses a place at which nothing can be written, and a file that holds something else.
void check_output(const std::string& file) {
  make_folder_of(file);
  const std::string former = detail::file_to_replace(file);
  std::ostringstream text;
  text << std::ifstream(former).rdbuf();
  try {
    static_cast<void>(detail::parse_calibration(text.str(), file));
  } catch (const argument_error&) {
    throw argument_error("--output " + file +
                         " holds something else than a calibration: name another file");
  }
}

int calibrate(request wanted) {
  if (wanted.pes.empty()) wanted.pes = usual_numbers();
  std::ranges::sort(wanted.pes);
  const auto twice = std::ranges::unique(wanted.pes);
  wanted.pes.erase(twice.begin(), twice.end());
  if (wanted.pes.front() < 2) throw argument_error("--pes 1: a collective needs 2 PEs at least");
  if (wanted.output.empty()) wanted.output = detail::calibration_file();
  if (wanted.output.empty()) {
    throw argument_error(
        "there is no folder for the file: give --output FILE, or set HOME, and do not set "
        "BOXCAR_CALIBRATION=none");
  }
  check_output(wanted.output);
  // The built-in choices are measured, too.
  setenv("BOXCAR_CALIBRATION", "none", 1);
  const std::chrono::duration<double> each(wanted.seconds / static_cast<double>(wanted.pes.size()));
  const auto time = std::chrono::duration_cast<std::chrono::nanoseconds>(each);
  std::vector<measured_way> all;
  for (const int pes : wanted.pes) {
    const std::vector<measured_way> rows = measure_on(pes, time);
    std::cout << pes << " PEs: " << text_of_changes(rows) << std::endl;
    all.insert(all.end(), rows.begin(), rows.end());
  }
  std::ranges::stable_sort(all, {}, &measured_way::kind);
  detail::replace_file(wanted.output, detail::calibration_text(all));
  std::cout << "written to " << detail::printable(wanted.output) << '\n';
  return 0;
}

int run_command(int argc, char** argv) {
  CLI::App app("Measure what is fastest on this machine, for all programs", "boxcar calibrate");
  request wanted;
  add_options(app, wanted);
  if (const std::optional<int> status = parse_arguments(app, argc, argv)) return *status;
  try {
    return calibrate(wanted);
  } catch (const argument_error& e) {
    return complain_of_usage(std::string("boxcar calibrate: ") + e.what());
  }
}

}  // namespace
}  // namespace boxcar::tool

int main(int argc, char** argv) {
  boxcar::tool::open_standard_descriptors();
  try {
    return boxcar::tool::end_of_output("boxcar calibrate", boxcar::tool::run_command(argc, argv));
  } catch (const std::exception& e) {
    std::cerr << "boxcar calibrate: " << boxcar::detail::printable(e.what()) << '\n';
    return 1;
  }
}
