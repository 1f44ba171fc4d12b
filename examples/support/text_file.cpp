#include "support/text_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>
#include <zlib.h>

#include "support/input_error.hpp"

namespace examples {
namespace {

std::uint64_t size_of_regular_file(const std::string& path) {
  std::error_code problem;
  const auto status = std::filesystem::status(path, problem);
  if (!std::filesystem::exists(status)) {
    throw input_error(path + ": " + (problem ? problem.message() : std::strerror(ENOENT)) +
                      "; give the path of a file that every PE can read");
  }
  if (!std::filesystem::is_regular_file(status)) {
    throw input_error(path + ": is not a regular file; every PE reads a part of its own, so give " +
                      "a file, not a pipe or a directory");
  }
  return std::filesystem::file_size(path);
}

}  // namespace

text_file::text_file(std::string path)
    : path_(std::move(path)),
      stored_bytes_(size_of_regular_file(path_)),
      file_(gzopen(path_.c_str(), "rb")) {
  if (file_ == nullptr) {
    throw input_error(path_ + ": cannot be opened: " + std::strerror(errno) +
                      "; give a file that every PE can read");
  }
  constexpr unsigned zlib_buffer = 1u << 16;
  gzbuffer(file_.get(), zlib_buffer);
  compressed_ = gzdirect(file_.get()) == 0;
}

std::uint64_t text_file::stored_bytes_read() const {
  return static_cast<std::uint64_t>(gzoffset(file_.get()));
}

void text_file::seek(std::uint64_t offset) {
  if (gzseek(file_.get(), static_cast<z_off_t>(offset), SEEK_SET) < 0) fail();
}

std::size_t text_file::read(std::span<char> room) {
  const int bytes = gzread(file_.get(), room.data(), static_cast<unsigned>(room.size()));
  if (bytes < 0) fail();
  const auto got = static_cast<std::size_t>(bytes);
  // At the end of a truncated file, zlib delivers the available bytes, and then has an error.
  int code = Z_OK;
  if (got < room.size()) gzerror(file_.get(), &code);
  if (code != Z_OK && code != Z_STREAM_END) fail();
  return got;
}

void text_file::close::operator()(gzFile_s* file) const {
  gzclose(file);
}

void text_file::fail() const {
  int code = Z_OK;
  const std::string what = gzerror(file_.get(), &code);
  if (code == Z_BUF_ERROR) {
    throw input_error(path_ + ": the gzip file is truncated: it ends after " +
                      std::to_string(stored_bytes_) + " bytes, in the middle of its data; " +
                      "fetch it again");
  }
  if (code == Z_DATA_ERROR) {
    throw input_error(path_ + ": the gzip file is damaged (" + what + "); fetch it again");
  }
  throw input_error(path_ + ": cannot be read: " +
                    (code == Z_ERRNO || what.empty() ? std::strerror(errno) : what.c_str()));
}

std::uint64_t line_number(const std::string& path, std::uint64_t offset) {
  text_file file(path);
  std::vector<char> piece(std::size_t{1} << 16);
  std::uint64_t line = 1;
  while (offset > 0) {
    const std::size_t room = std::min<std::uint64_t>(piece.size(), offset);
    const std::size_t bytes = file.read({piece.data(), room});
    if (bytes == 0) break;
    const auto end = piece.begin() + static_cast<std::ptrdiff_t>(bytes);
    line += static_cast<std::uint64_t>(std::count(piece.begin(), end, '\n'));
    offset -= bytes;
  }
  return line;
}

}  // namespace examples
