#include "machine.hpp"

#include <array>
#include <ctime>
#include <map>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <boxcar/detail/processor_name.hpp>

namespace boxcar::bench {
namespace {

std::size_t configured(int name) {
  const long value = sysconf(name);
  return value > 0 ? static_cast<std::size_t>(value) : 0;
}

std::string system_name() {
  utsname names{};
  if (uname(&names) != 0) return "unknown";
  return std::string(names.sysname) + " " + names.release;
}

// The place of a PE. Launchers may bind each PE to a core of its own.
struct workplace {
  std::array<char, 64> host{};
  cpu_set_t cores{};
};

workplace workplace_here() {
  workplace here;
  gethostname(here.host.data(), here.host.size() - 1);
  CPU_ZERO(&here.cores);
  if (sched_getaffinity(0, sizeof here.cores, &here.cores) != 0) CPU_SET(0, &here.cores);
  return here;
}

}  // namespace

int usable_cores() {
  const workplace here = workplace_here();
  return CPU_COUNT(&here.cores);
}

int cores_of(world& w) {
  std::map<std::array<char, 64>, cpu_set_t> hosts;  // value-initialised: no core
  for (const workplace& one : w.all_gather(workplace_here())) {
    cpu_set_t& cores = hosts[one.host];
    CPU_OR(&cores, &cores, &one.cores);
  }
  int all = 0;
  for (const auto& [host, cores] : hosts) all += CPU_COUNT(&cores);
  return all;
}

machine this_machine() {
  return {detail::processor_name(),
          usable_cores(),
          configured(_SC_LEVEL1_DCACHE_SIZE),
          configured(_SC_LEVEL2_CACHE_SIZE),
          configured(_SC_LEVEL3_CACHE_SIZE),
          configured(_SC_PHYS_PAGES) * configured(_SC_PAGE_SIZE),
          system_name()};
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
