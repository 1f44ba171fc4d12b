#include "substrate/simulated/memory_need.hpp"

#include <fstream>
#include <limits>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

#include <boxcar/error.hpp>

namespace boxcar::detail {
namespace {

std::size_t available_memory() {
  std::ifstream info("/proc/meminfo");
  std::string name;
  std::size_t kilobytes = 0;
  for (std::string unit; info >> name >> kilobytes; std::getline(info, unit)) {
    if (name == "MemAvailable:") return kilobytes << 10;
  }
  return std::numeric_limits<std::size_t>::max();  // unknown
}

}  // namespace

std::size_t physical_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_bytes = sysconf(_SC_PAGESIZE);
  return static_cast<std::size_t>(pages) * static_cast<std::size_t>(page_bytes);
}

void require_memory_for(int pes, std::size_t each, std::size_t bytes) {
  const std::size_t fit = bytes / each;
  if (static_cast<std::size_t>(pes) <= fit) return;
  throw argument_error("simulate: " + std::to_string(pes) + " PEs take at least " +
                       std::to_string(each >> 10) + " KiB each, and this machine has " +
                       std::to_string(bytes >> 20) + " MiB: give at most " + std::to_string(fit) +
                       ", and fewer for programs that do anything");
}

memory_use look_at_memory() {
  rusage here{};
  getrusage(RUSAGE_SELF, &here);
  memory_use is{.most_here = static_cast<std::size_t>(here.ru_maxrss) << 10,
                .left = std::numeric_limits<std::size_t>::max(),
                .all = physical_memory()};
  if (is.most_here > is.all / 4) is.left = available_memory();
  return is;
}

std::string memory_shortage(int pes, const memory_use& is) {
  if (is.left >= is.all / 16) return {};
  const std::size_t each = is.most_here / static_cast<std::size_t>(pes);
  return "simulate: " + std::to_string(pes) + " PEs have taken " +
         std::to_string(is.most_here >> 20) + " MiB so far, " + std::to_string(each >> 10) +
         " KiB each, and of the " + std::to_string(is.all >> 20) + " MiB of this machine only " +
         std::to_string(is.left >> 20) +
         " are left: give fewer PEs, smaller buffers (buffer_bytes, max_bytes) or smaller stacks "
         "(stack_bytes; boxcar simulate --stack)";
}

}  // namespace boxcar::detail
