#include "info_command.hpp"

#include <cstdlib>
#include <iomanip>
#include <ostream>
#include <string>
#include <unistd.h>

#include <boxcar/error.hpp>
#include <boxcar/version.hpp>

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
  for (const char* name : {"openmpi", "mpich", "mpi", "shmem"}) {
    const std::string file = detail::find_library(name);
    out << "  " << std::left << std::setw(12) << name
        << (file.empty() ? "no library for it was found" : file) << '\n';
  }
}

// What a program that is started as this one was would be connected by.
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
  } catch (const error& e) {
    out << "nothing: " << e.what() << '\n';
  }
}

void list_environment(std::ostream& out) {
  out << "environment:\n";
  for (const auto& variable : detail::environment_variables()) {
    const char* value = std::getenv(variable.name);
    out << "  " << variable.name << (value != nullptr ? "=" : " (not set)")
        << (value != nullptr ? value : "") << "\n      " << variable.meaning << '\n';
  }
}

}  // namespace

void info_command(std::ostream& out) {
  out << "boxcar " << version << '\n';
  const cpu_set_t cores = detail::usable_cores();
  out << "cores: " << CPU_COUNT(&cores) << " usable of " << sysconf(_SC_NPROCESSORS_ONLN) << '\n';
  list_substrates(out);
  list_libraries(out);
  tell_choice(out);
  list_environment(out);
}

}  // namespace boxcar::tool
