#include "report_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include <boxcar/error.hpp>

namespace boxcar::tool {
namespace {

void check(const std::ofstream& file, const std::string& path) {
  if (file) return;
  throw system_error("cannot write " + path + ": " + std::strerror(errno) +
                     "; give --json a file that can be written");
}

}  // namespace

report_file::report_file(std::string path) : path_(std::move(path)) {
  std::error_code none;
  const bool existed = std::filesystem::exists(path_, none);
  check(std::ofstream(path_, std::ios::app), path_);
  is_plain_ = std::filesystem::is_regular_file(path_, none);
  if (!existed) std::filesystem::remove(path_, none);
}

void report_file::write(const std::string& report, bool last) {
  if (!is_plain_ && !last) return;
  std::ofstream file(path_);
  file << report << std::flush;
  check(file, path_);
}

}  // namespace boxcar::tool
