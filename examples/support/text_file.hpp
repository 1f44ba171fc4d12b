// The bytes of a file that may be compressed by gzip.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

struct gzFile_s;

namespace examples {

// All functions throw input_error if the file cannot be read, is damaged, or ends too early.
class text_file {
 public:
  explicit text_file(std::string path);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] bool compressed() const { return compressed_; }
  // Bytes of the file on the disk, and how many of them have been read about.
  [[nodiscard]] std::uint64_t stored_bytes() const { return stored_bytes_; }
  [[nodiscard]] std::uint64_t stored_bytes_read() const;

  // Goes to a byte of the text. In a compressed file only the beginning, 0, is cheap to reach.
  void seek(std::uint64_t offset);
  // Fills `room` with the next bytes; returns their number, which is less only at the end.
  std::size_t read(std::span<char> room);

 private:
  struct close {
    void operator()(gzFile_s* file) const;
  };
  [[noreturn]] void fail() const;

  std::string path_;
  std::uint64_t stored_bytes_;
  std::unique_ptr<gzFile_s, close> file_;
  bool compressed_;
};

// The line, counted from 1, of a byte of the text.
[[nodiscard]] std::uint64_t line_number(const std::string& path, std::uint64_t offset);

}  // namespace examples
