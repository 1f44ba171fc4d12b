#include "calibrate/kept_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <boxcar/error.hpp>

namespace boxcar::tool {

void keep(const std::string& name, const std::string& content) {
  const auto fail = [&name](const std::string& what, int error) {
    throw system_error("cannot " + what + " " + name + ": " + std::strerror(error));
  };
  const std::filesystem::path path(name);
  std::error_code problem;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), problem);
  if (problem) fail("make the folder of", problem.value());
  const std::string unfinished = name + "." + std::to_string(getpid());
  std::ofstream file(unfinished);
  file << content << std::flush;
  if (!file) fail("write", errno);
  std::filesystem::rename(unfinished, path, problem);
  if (problem) fail("replace", problem.value());
}

}  // namespace boxcar::tool
