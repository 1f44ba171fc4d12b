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
  const auto what = std::filesystem::status(path_, none).type();
  const bool was_there = std::filesystem::exists(std::filesystem::symlink_status(path_, none));
  is_plain_ =
      what == std::filesystem::file_type::regular || what == std::filesystem::file_type::not_found;
  if (!is_plain_) {
    stream_.open(path_);  // and not again: whoever reads a pipe would see its end
    check(stream_, path_);
    return;
  }
  check(std::ofstream(path_, std::ios::app), path_);
  if (!was_there) std::filesystem::remove(path_, none);
}

void report_file::write(const std::string& report, bool last) {
  if (is_plain_) {
    std::ofstream file(path_);
    file << report << std::flush;
    check(file, path_);
  } else if (last) {
    stream_ << report << std::flush;
    check(stream_, path_);
  }
}

}  // namespace boxcar::tool
