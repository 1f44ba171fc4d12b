#include "own_folder.hpp"

#include <system_error>

namespace boxcar::tool {

std::filesystem::path own_folder() {
  std::error_code problem;
  return std::filesystem::read_symlink("/proc/self/exe", problem).parent_path();
}

}  // namespace boxcar::tool
