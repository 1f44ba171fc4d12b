// A compiled schedule is executed by an adapter (schedule_state.hpp), or by the network
// (network_schedule.hpp).
#pragma once

#include <cstdint>
#include <string>

#include <boxcar/error.hpp>

#include "trace/traced_runs.hpp"

namespace boxcar::detail {

class compiled_schedule {
 public:
  virtual ~compiled_schedule() = default;

  // The functions have the contracts of `schedule`.
  virtual void start() = 0;
  [[nodiscard]] virtual bool test() = 0;
  virtual void wait() = 0;
  [[nodiscard]] virtual std::string text() const = 0;
  [[nodiscard]] virtual std::string graphviz() const = 0;
  [[nodiscard]] virtual std::string explain() const = 0;

  // The runs are recorded for a trace.
  traced_runs runs;

 protected:
  [[noreturn]] static void throw_broken(const char* operation, std::uint64_t run) {
    throw contract_error(std::string(operation) + ": a function of run " + std::to_string(run) +
                         " of the schedule has thrown, so that this run never ends; compile the "
                         "schedule again");
  }
};

}  // namespace boxcar::detail
