#include "info_command.hpp"

#include <cstdlib>
#include <iomanip>
#include <ostream>
#include <sched.h>
#include <unistd.h>

#include <boxcar/version.hpp>

#include "substrate/environment.hpp"

namespace boxcar::tool {
namespace {

constexpr struct {
  const char* name;
  const char* meaning;
} substrates[] = {
    {"threads", "PEs are threads of one process: boxcar::run(n, ...), or BOXCAR_PES=n"},
    {"processes", "PEs are processes that share memory: boxcar run -n N -- program"},
};

int usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

void list_substrates(std::ostream& out) {
  out << "substrates:\n";
  for (const auto& substrate : substrates) {
    out << "  " << std::left << std::setw(12) << substrate.name << substrate.meaning << '\n';
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
  out << "cores: " << usable_cores() << " usable of " << sysconf(_SC_NPROCESSORS_ONLN) << '\n';
  list_substrates(out);
  list_environment(out);
}

}  // namespace boxcar::tool
