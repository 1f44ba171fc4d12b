#include "machine.hpp"

#include <array>
#include <ctime>
#include <fstream>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <boxcar/version.hpp>

namespace boxcar::bench {
namespace {

std::size_t configured(int name) {
  const long value = sysconf(name);
  return value > 0 ? static_cast<std::size_t>(value) : 0;
}

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  utsname names{};
  return uname(&names) == 0 ? names.machine : "unknown";
}

std::string system_name() {
  utsname names{};
  if (uname(&names) != 0) return "unknown";
  return std::string(names.sysname) + " " + names.release;
}

}  // namespace

int usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

machine this_machine() {
  return {processor_name(),
          usable_cores(),
          configured(_SC_LEVEL1_DCACHE_SIZE),
          configured(_SC_LEVEL2_CACHE_SIZE),
          configured(_SC_LEVEL3_CACHE_SIZE),
          configured(_SC_PHYS_PAGES) * configured(_SC_PAGE_SIZE),
          system_name()};
}

build this_build() {
  return {version, BOXCAR_BENCH_COMPILER, BOXCAR_BENCH_FLAGS};
}

std::string time_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

}  // namespace boxcar::bench
