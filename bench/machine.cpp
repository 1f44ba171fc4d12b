#include "machine.hpp"

#include <array>
#include <ctime>
#include <fstream>
#include <map>
#include <sched.h>
#include <string>
#include <sys/utsname.h>
#include <unistd.h>

#include <boxcar/detail/processor_name.hpp>

namespace boxcar::bench {
namespace {

std::size_t configured(int name) {
  const long value = sysconf(name);
  return value > 0 ? static_cast<std::size_t>(value) : 0;
}

// Returns the size of the data cache of a level that the first core uses, as the kernel says, or
// `otherwise`. (On a virtual machine sysconf may say what all cores of the processor have.)
std::size_t cache_bytes(int level, int otherwise) {
  const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index";
  for (int index = 0;; ++index) {
    const std::string cache = folder + std::to_string(index);
    std::string type;
    int its_level = 0;
    std::size_t kib = 0;
    if (!(std::ifstream(cache + "/level") >> its_level)) return configured(otherwise);
    std::ifstream(cache + "/type") >> type;
    std::ifstream(cache + "/size") >> kib;  // and a K
    if (its_level == level && type != "Instruction" && kib > 0) return kib * 1024;
  }
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
          cache_bytes(1, _SC_LEVEL1_DCACHE_SIZE),
          cache_bytes(2, _SC_LEVEL2_CACHE_SIZE),
          cache_bytes(3, _SC_LEVEL3_CACHE_SIZE),
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
