// A file of a program's own, without a name.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <unistd.h>

namespace boxcar::test {

class client_file {
 public:
  explicit client_file(std::string_view content) : file_(std::tmpfile()), bytes_(content.size()) {
    std::fwrite(content.data(), 1, content.size(), file_);
    std::fflush(file_);
  }
  client_file(const client_file&) = delete;
  client_file& operator=(const client_file&) = delete;
  ~client_file() { std::fclose(file_); }

  [[nodiscard]] int descriptor() const { return fileno(file_); }
  // Returns the whole content, even if the file has become longer.
  [[nodiscard]] std::string content() const {
    std::string text(bytes_ + 1, '\0');
    const ssize_t read = pread(descriptor(), text.data(), text.size(), 0);
    text.resize(read < 0 ? 0 : static_cast<std::size_t>(read));
    return text;
  }

 private:
  std::FILE* file_;
  std::size_t bytes_;
};

}  // namespace boxcar::test
