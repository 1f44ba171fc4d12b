// The file that `boxcar bench --json` writes.
#pragma once

#include <fstream>
#include <string>

namespace boxcar::tool {

// What is in it already stays until the first report is there to take its place.
class report_file {
 public:
  // Throws system_error, now and not after all the work, if the file cannot be written.
  explicit report_file(std::string path);

  // Replaces what was written before. What is no plain file, as a pipe, gets the last report only.
  // Throws system_error.
  void write(const std::string& report, bool last);

 private:
  std::string path_;
  bool is_plain_;
  std::ofstream stream_;  // if it is not
};

}  // namespace boxcar::tool
