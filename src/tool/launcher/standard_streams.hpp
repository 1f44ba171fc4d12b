// The launcher's standard output and error, shared by the lines of all PEs.
#pragma once

#include <poll.h>
#include <string_view>
#include <vector>

#include "basis/printable.hpp"
#include "launcher/line_output.hpp"

namespace boxcar::launcher {

class standard_streams {
 public:
  standard_streams();
  standard_streams(const standard_streams&) = delete;
  standard_streams& operator=(const standard_streams&) = delete;

  [[nodiscard]] line_output& output() { return output_; }
  [[nodiscard]] line_output& error() { return error_; }

  // Adds the descriptors for poll.
  void watch(std::vector<pollfd>& sources) const;
  void write_what_fits();
  // Prints a line of the launcher on standard error, with the same care as for a PE.
  void say(std::string_view line) { error_.put(launcher_itself, detail::printable(line)); }
  // Drops output that waits for the launcher's readers.
  void drop_pending();
  [[nodiscard]] bool is_behind() const;

  // The reason why printing has failed.
  struct failure {
    int error;  // an errno, or 0
    const char* where;
  };
  [[nodiscard]] failure why_broken() const;

 private:
  static constexpr int launcher_itself = -1;

  line_output output_;
  line_output separate_error_;
  line_output& error_;  // `output_`, if both lead to the same file
};

}  // namespace boxcar::launcher
