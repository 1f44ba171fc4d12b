// A file that `boxcar bench` writes while measuring, for instance for --json.
#pragma once

#include <fstream>
#include <string>

namespace boxcar::tool {

// The report file keeps its old content until the first report replaces the content.
class report_file {
 public:
  // Throws system_error at once, rather than after all the work, if the file cannot be written;
  // `option` is the option with the name of the file.
  report_file(std::string path, std::string option);

  // Replaces the earlier report. Special files, for instance pipes, get the last report only.
  // Throws system_error.
  void write(const std::string& report, bool last);

 private:
  void check(bool right) const;

  std::string path_;
  std::string option_;
  bool is_plain_;
  std::ofstream stream_;  // if the file is not plain
};

}  // namespace boxcar::tool
