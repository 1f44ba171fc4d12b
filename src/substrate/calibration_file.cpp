#include "substrate/calibration_file.hpp"

#include <algorithm>
#include <cctype>
#include <unistd.h>

#include <boxcar/detail/processor_name.hpp>
#include <boxcar/version.hpp>

#include "substrate/environment.hpp"

namespace boxcar::detail {

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
