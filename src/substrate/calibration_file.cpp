#include "substrate/calibration_file.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sys/utsname.h>
#include <unistd.h>

#include <boxcar/version.hpp>

#include "substrate/environment.hpp"

namespace boxcar::detail {
namespace {

// Returns a name like "AMD EPYC 9454 48-Core Processor", or of the instruction set.
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

}  // namespace

std::string calibration_file() {
  const std::string given = calibration_file_from_environment();
  if (given == "none") return {};
  if (!given.empty()) return given;
  const std::string folder = cache_folder_from_environment();
  if (folder.empty()) return {};
  std::string machine = processor_name();
  std::ranges::replace_if(
      machine, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '-');
  return folder + "/boxcar/calibration-" + version + "-" + machine + "-" +
         std::to_string(sysconf(_SC_NPROCESSORS_ONLN)) + ".txt";
}

}  // namespace boxcar::detail
