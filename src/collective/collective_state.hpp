// What a collective is on one PE.
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

  // Of one that copies what it gives and gets: it gives this when it starts next, and gets that
  // when it ends next, as much as what it was made with. `first`: of exclusive scans; empty: as
  // before.
  virtual void use(std::span<const std::byte> in, std::span<std::byte> out,
                   std::span<const std::byte> first) = 0;

  // As the functions of the same names of `collective`.
  virtual void start() = 0;
  [[nodiscard]] virtual bool test() = 0;
  virtual void wait() = 0;
  [[nodiscard]] virtual std::string explain() const = 0;
  [[nodiscard]] virtual std::string text() const = 0;
  [[nodiscard]] virtual std::string graphviz() const = 0;

  // For a trace.
  traced_runs runs;

 protected:
  [[noreturn]] static void throw_not_waited_for() {
    throw contract_error(
        "start: the last run of the collective has not been waited for; call wait, "
        "or test until it is true");
  }
};

}  // namespace boxcar::detail
