// The model of the machine's processor.
#pragma once

#include <fstream>
#include <string>
#include <sys/utsname.h>

namespace boxcar::detail {

// Returns a name like "AMD EPYC 9454 48-Core Processor", or the name of the instruction set.
[[nodiscard]] inline std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  utsname names{};
  return uname(&names) == 0 ? names.machine : "unknown";
}

}  // namespace boxcar::detail
