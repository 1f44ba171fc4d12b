#include "substrate/calibration_file.hpp"

#include <cctype>
#include <unistd.h>

#include <boxcar/detail/processor_name.hpp>
#include <boxcar/version.hpp>

#include "substrate/environment.hpp"

namespace boxcar::detail {
namespace {

// Returns the letters and digits, and a hyphen for whatever is between them.
std::string as_part_of_path(const std::string& name) {
  std::string part;
  for (const char c : name) {
    const bool stays = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (stays) part += c;
    if (!stays && !part.ends_with('-')) part += '-';
  }
  return part;
}

}  // namespace

std::string calibration_file() {
  const std::string given = calibration_file_from_environment();
  if (given == "none") return {};
  if (!given.empty()) return given;
  const std::string folder = cache_folder_from_environment();
  if (folder.empty()) return {};
  return folder + "/boxcar/calibration-" + version + "-" +
         as_part_of_path(processor_name() + " " + std::to_string(sysconf(_SC_NPROCESSORS_ONLN))) +
         ".txt";
}

}  // namespace boxcar::detail
