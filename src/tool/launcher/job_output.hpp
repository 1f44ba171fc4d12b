// The output of the PEs of a job, on its way to the launcher's standard output and error.
#pragma once

#include <poll.h>
#include <string_view>
#include <vector>

#include "launcher/line_stream.hpp"
#include "launcher/pe_process.hpp"
#include "launcher/standard_streams.hpp"

namespace boxcar::launcher {

class job_output {
 public:
  explicit job_output(bool label) : label_(label) {}

  // Takes over the pipes of the next PE. Precondition: the calls come in rank order.
  void add(pe_process& pe);
  // Adds the descriptors for poll.
  void watch(std::vector<pollfd>& sources) const;
  // Passes on available output, as far as possible without blocking.
  void forward(bool writers_are_gone);
  // Prints a line of the launcher on standard error, with the same care as for a PE.
  void say(std::string_view line) { standard_.say(line); }
  // Drops output that waits for the launcher's readers.
  void drop_pending() { standard_.drop_pending(); }

  [[nodiscard]] bool is_done() const;  // is everything passed on, and nothing to come?
  [[nodiscard]] bool is_behind() const { return standard_.is_behind(); }
  [[nodiscard]] standard_streams::failure why_broken() const { return standard_.why_broken(); }

 private:
  bool label_;
  standard_streams standard_;
  std::vector<line_stream> streams_;
};

}  // namespace boxcar::launcher
