// What a schedule has become when it was compiled: it is carried out by an adapter
// (schedule_state.hpp), or left to the network (network_schedule.hpp).
#pragma once

#include <string>

#include "trace/traced_runs.hpp"

namespace boxcar::detail {

class compiled_schedule {
 public:
  virtual ~compiled_schedule() = default;

  // As those of a schedule.
  virtual void start() = 0;
  [[nodiscard]] virtual bool test() = 0;
  virtual void wait() = 0;
  [[nodiscard]] virtual std::string text() const = 0;
  [[nodiscard]] virtual std::string graphviz() const = 0;
  [[nodiscard]] virtual std::string explain() const = 0;

  // For a trace.
  traced_runs runs;
};

}  // namespace boxcar::detail
