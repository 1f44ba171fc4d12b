// A file that `boxcar bench` writes while it measures, as --json has it.
#pragma once

#include <fstream>
#include <string>

namespace boxcar::tool {

// What is in it already stays until the first report is there to take its place.
class report_file {
 public:
  // Throws system_error, now and not after all the work, if the file cannot be written, which
  // `option` has named.
  report_file(std::string path, std::string option);

  // Replaces what was written before. What is no plain file, as a pipe, gets the last report only.
  // Throws system_error.
  void write(const std::string& report, bool last);

 private:
  void check(bool right) const;

  std::string path_;
  std::string option_;
  bool is_plain_;
  std::ofstream stream_;  // if it is not
};

}  // namespace boxcar::tool
