#include "report_file.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <unistd.h>
#include <utility>

#include <boxcar/error.hpp>

namespace boxcar::tool {

report_file::report_file(std::string path, std::string option)
    : path_(std::move(path)), option_(std::move(option)) {
  std::error_code none;
  const auto what = std::filesystem::status(path_, none).type();
  const bool was_there = std::filesystem::exists(std::filesystem::symlink_status(path_, none));
  const bool is_device = path_.starts_with("/dev/");  // as /dev/stdout, wherever that leads
  is_plain_ = !is_device && (what == std::filesystem::file_type::regular ||
                             what == std::filesystem::file_type::not_found);
  if (!is_plain_) {
    stream_.open(path_);  // and not again: a reader of a pipe would see its end
    check(stream_.good());
    return;
  }
  check(std::ofstream(path_, std::ios::app).good());
  if (!was_there) std::filesystem::remove(path_, none);
}

void report_file::write(const std::string& report, bool last) {
  if (is_plain_) {
    // A single write replaces the earlier report, which is shorter as a rule: a signal in between
    // leaves either the old report or the new report. (Programs that have the file open would not
    // see a renamed file.)
    const int file = open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    check(file >= 0);
    const auto bytes = static_cast<off_t>(report.size());
    const bool written =
        ::write(file, report.data(), report.size()) == bytes && ftruncate(file, bytes) == 0;
    const bool closed = close(file) == 0;
    check(written && closed);
  } else if (last) {
    stream_ << report << std::flush;
    check(stream_.good());
  }
}

void report_file::check(bool right) const {
  if (right) return;
  throw system_error("cannot write " + path_ + ": " + std::strerror(errno) + "; give " + option_ +
                     " a file that can be written");
}

}  // namespace boxcar::tool
