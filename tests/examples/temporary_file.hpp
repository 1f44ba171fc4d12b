// Temporary files of tests.
#pragma once

#include <string>
#include <string_view>

namespace examples::test {

// Returns the bytes compressed by gzip.
std::string gzip(std::string_view bytes);

// Returns the bytes of a file, decompressed if the file is compressed.
std::string contents_of(const std::string& path);

class temporary_file {
 public:
  explicit temporary_file(std::string_view contents);
  ~temporary_file();
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace examples::test
