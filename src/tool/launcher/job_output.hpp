// What the PEs of a job print, on its way to the launcher's standard output and error.
#pragma once

#include <poll.h>
#include <string>
#include <string_view>
#include <vector>

#include "launcher/line_output.hpp"
#include "launcher/line_stream.hpp"
#include "launcher/pe_process.hpp"

namespace boxcar::launcher {

class job_output {
 public:
  explicit job_output(bool label);
  job_output(const job_output&) = delete;
  job_output& operator=(const job_output&) = delete;

  // Takes over the pipes of the next PE; to be called in rank order.
  void add(pe_process& pe);
  // Adds what poll is to wait for.
  void watch(std::vector<pollfd>& sources) const;
  // Passes on what there is, as far as that is possible without blocking.
  void forward(bool writers_are_gone);
  // Says something of the launcher's own on standard error, with care as for a PE.
  void say(std::string_view line) { error_.put(launcher_itself, line); }
  // Drops what waits to be read from here.
  void drop_pending();

  [[nodiscard]] bool is_done() const;  // is everything passed on, and nothing to come?
  [[nodiscard]] bool is_behind() const;

  // Why printing has failed.
  struct failure {
    int error;  // an errno, or 0
    const char* where;
  };
  [[nodiscard]] failure why_broken() const;

 private:
  static constexpr int launcher_itself = -1;

  bool label_;
  line_output output_;
  line_output separate_error_;
  line_output& error_;  // the same as `output_`, if both lead to the same file
  std::vector<line_stream> streams_;
  int pes_ = 0;
};

}  // namespace boxcar::launcher
