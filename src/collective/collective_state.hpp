// The interface of a collective on a PE.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <boxcar/error.hpp>

#include "trace/traced_runs.hpp"

namespace boxcar::detail {

class collective_state {
 public:
  virtual ~collective_state() = default;

  // Sets the memory of the next run. Only for collectives that copy their input and output: the
  // next start copies `in`, and the end of the run copies the result into `out`, both of the sizes
  // given at construction. `first` is for exclusive scans; an empty `first` keeps the previous
  // value.
  virtual void use(std::span<const std::byte> in, std::span<std::byte> out,
                   std::span<const std::byte> first) = 0;

  // The functions start to graphviz are specified at the functions of `collective`.
  virtual void start() = 0;
  [[nodiscard]] virtual bool test() = 0;
  virtual void wait() = 0;
  [[nodiscard]] virtual std::string explain() const = 0;
  [[nodiscard]] virtual std::string text() const = 0;
  [[nodiscard]] virtual std::string graphviz() const = 0;

  // Identifies the runs in a trace.
  traced_runs runs;

 protected:
  [[noreturn]] static void throw_not_waited_for() {
    throw contract_error(
        "start: the last run of the collective has not been waited for; call wait, "
        "or test until it is true");
  }
};

}  // namespace boxcar::detail
