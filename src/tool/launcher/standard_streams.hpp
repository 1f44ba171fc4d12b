// The launcher's standard output and error, which the lines of all PEs share.
#pragma once

#include <poll.h>
#include <string_view>
#include <vector>

#include "launcher/line_output.hpp"
#include "printable.hpp"

namespace boxcar::launcher {

class standard_streams {
 public:
  standard_streams();
  standard_streams(const standard_streams&) = delete;
  standard_streams& operator=(const standard_streams&) = delete;

  [[nodiscard]] line_output& output() { return output_; }
  [[nodiscard]] line_output& error() { return error_; }

  // Adds what poll is to wait for.
  void watch(std::vector<pollfd>& sources) const;
  void write_what_fits();
  // Says something of the launcher's own on standard error, with care as for a PE.
  void say(std::string_view line) { error_.put(launcher_itself, tool::printable(line)); }
  // Drops what waits to be read from here.
  void drop_pending();
  [[nodiscard]] bool is_behind() const;

  // Why printing has failed.
  struct failure {
    int error;  // an errno, or 0
    const char* where;
  };
  [[nodiscard]] failure why_broken() const;

 private:
  static constexpr int launcher_itself = -1;

  line_output output_;
  line_output separate_error_;
  line_output& error_;  // the same as `output_`, if both lead to the same file
};

}  // namespace boxcar::launcher
