#include "substrate/simulated/memory_need.hpp"

#include <string>
#include <unistd.h>

#include <boxcar/error.hpp>

namespace boxcar::detail {

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

}  // namespace boxcar::detail
