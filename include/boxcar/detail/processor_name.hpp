// The model of the machine's processor.
#pragma once

#include <fstream>
#include <string>
#include <sys/utsname.h>

namespace boxcar::detail {

// Returns a name like "AMD EPYC 9454 48-Core Processor (family 25, model 17)", or the name of the
// instruction set. (The processors of virtual machines have the same short name for many years.)
[[nodiscard]] inline std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  std::string name;
  std::string family;
  std::string model;
  for (std::string line; std::getline(file, line) && !line.empty();) {  // of the first core
    const std::string key = line.substr(0, line.find_first_of("\t:"));
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos) continue;
    if (key == "model name") name = line.substr(colon + 2);
    if (key == "cpu family") family = line.substr(colon + 2);
    if (key == "model") model = line.substr(colon + 2);
  }
  if (!name.empty() && !family.empty() && !model.empty()) {
    name.append(" (family ").append(family).append(", model ").append(model).append(")");
  }
  if (!name.empty()) return name;
  utsname names{};
  return uname(&names) == 0 ? names.machine : "unknown";
}

}  // namespace boxcar::detail
