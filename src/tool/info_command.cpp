#include "info_command.hpp"

#include <filesystem>
#include <iomanip>
#include <ostream>
#include <sstream>
#include <string>
#include <unistd.h>

#include <boxcar/error.hpp>
#include <boxcar/version.hpp>

#include "basis/printable.hpp"
#include "build.hpp"
#include "substrate/calibration_file.hpp"
#include "substrate/discovery.hpp"
#include "substrate/environment.hpp"
#include "substrate/library.hpp"
#include "substrate/usable_cores.hpp"

namespace boxcar::tool {
namespace {

constexpr struct {
  const char* name;
  const char* meaning;
} substrates[] = {
    {"threads", "PEs are threads of one process: boxcar::run(n, ...), or BOXCAR_PES=n"},
    {"processes", "PEs are processes that share memory: boxcar run -n N -- program"},
};

void list_substrates(std::ostream& out) {
  out << "substrates:\n";
  for (const auto& substrate : substrates) {
    out << "  " << std::left << std::setw(12) << substrate.name << substrate.meaning << '\n';
  }
}

void list_libraries(std::ostream& out) {
  for (const char* name : detail::library_names) {
    const std::string file = detail::find_library(name).path;
    out << "  " << std::left << std::setw(12) << name
        << (file.empty() ? "no library for it was found" : file) << '\n';
    std::istringstream networks(detail::networks_found_by(name));
    for (std::string line; std::getline(networks, line);) out << "    " << line << '\n';
  }
}

// Prints why a program started in the same way would fail.
void tell_missing_library(std::ostream& out, const std::string& name) {
  const detail::library_place place = detail::find_library(name);
  if (!place.path.empty()) return;
  out << "but its library cannot be opened: " << detail::advice_without_library(name)
      << place.problems << '\n';
}

// Prints the connection of a program started in the same way.
void tell_choice(std::ostream& out) {
  out << "chosen here: ";
  try {
    const detail::discovery found = detail::discover();
    switch (found.by) {
      case detail::connection::none:
        out << "threads";
        break;
      case detail::connection::processes:
        out << "processes";
        break;
      case detail::connection::library:
        out << found.library;
        break;
    }
    out << " (" << found.why << ")\n";
    if (found.by == detail::connection::library) tell_missing_library(out, found.library);
  } catch (const error& e) {
    out << "nothing: " << e.what() << '\n';
  }
}

// Prints how requests from other PEs are served while a PE computes without calling Boxcar.
void tell_progress(std::ostream& out) {
  out << "while a PE computes:\n"
         "  its node      windows, counters and append buffers are reached all the same\n"
         "  other nodes   ";
  try {
    out << (detail::progress_thread_from_environment().value_or(false)
                ? "a progress thread serves their requests (BOXCAR_PROGRESS_THREAD=1)"
                : "their requests wait; BOXCAR_PROGRESS_THREAD=1 gives it a thread that serves "
                  "them (programs of OpenSHMEM on Boxcar have one, unless it is 0)");
  } catch (const error& e) {
    out << e.what();
  }
  out << "\n  conveyors, streams and collectives wait for it\n";
}

void tell_calibration(std::ostream& out) {
  const std::string file = detail::calibration_file();
  std::error_code problem;
  const bool is_there = !file.empty() && std::filesystem::exists(file, problem);
  out << "calibration: ";
  if (is_there) {
    out << detail::printable(file);
  } else {
    out << "none; collectives follow what was measured on other machines (boxcar calibrate)";
  }
  out << '\n';
}

void list_variable(std::ostream& out, const detail::environment_variable& variable) {
  const char* value = detail::value_of(variable);
  out << "  " << variable.name << (value != nullptr ? "=" : " (not set)")
      << (value != nullptr ? detail::printable(value) : "") << "\n      " << variable.meaning
      << '\n';
}

void list_environment(std::ostream& out) {
  out << "environment:\n";
  for (const auto& variable : detail::environment_variables()) {
    // There are many launchers, and at most one has started this program.
    if (!variable.of_others || detail::value_of(variable) != nullptr) list_variable(out, variable);
  }
}

}  // namespace

void info_command(std::ostream& out) {
  out << "boxcar " << version << '\n';
  const bench::build built = bench::this_build();
  if (!built.commit.empty()) {
    out << "commit: " << built.commit << (built.changed ? ", with changes" : "") << '\n';
  }
  out << "cores: " << detail::count(detail::usable_cores()) << " usable of "
      << sysconf(_SC_NPROCESSORS_ONLN) << '\n';
  list_substrates(out);
  list_libraries(out);
  tell_choice(out);
  tell_progress(out);
  tell_calibration(out);
  list_environment(out);
}

}  // namespace boxcar::tool
