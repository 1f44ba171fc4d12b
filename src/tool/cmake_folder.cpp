#include "cmake_folder.hpp"

#include <filesystem>
#include <system_error>

#include <boxcar/error.hpp>

#include "own_folder.hpp"

namespace boxcar::tool {

std::string cmake_folder() {
  const auto folder = (own_folder() / BOXCAR_BIN_TO_CMAKE).lexically_normal();
  std::error_code problem;
  if (!std::filesystem::exists(folder / "boxcar-config.cmake", problem)) {
    throw system_error(
        "there is no boxcar-config.cmake in " + folder.string() +
        ": install a wheel of Boxcar, its sources by make install, or the package libboxcar-dev");
  }
  return folder.string();
}

}  // namespace boxcar::tool
