// Files that exist as long as a test needs them.
#pragma once

#include <string>
#include <string_view>

namespace examples::test {

// The same bytes, compressed.
std::string gzip(std::string_view bytes);

// The bytes of a file; if it is compressed, those of the text.
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
