// What the PEs of a job print, on its way to the launcher's standard output and error.
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

  // Takes over the pipes of the next PE; to be called in rank order.
  void add(pe_process& pe);
  // Adds what poll is to wait for.
  void watch(std::vector<pollfd>& sources) const;
  // Passes on what there is, as far as that is possible without blocking.
  void forward(bool writers_are_gone);
  // Says something of the launcher's own on standard error, with care as for a PE.
  void say(std::string_view line) { standard_.say(line); }
  // Drops what waits to be read from here.
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
