// The fastest algorithms of collectives within a node: the calibrated algorithms of the machine,
// and the built-in algorithms.
#pragma once

#include <cstdint>
#include <string>

#include "collective/measured_ways.hpp"

namespace boxcar::detail {

struct ways_of_machine {
  way_table table = way_table::built_in();
  // Distinguishes tables. 0: the table is the built-in one.
  std::uint64_t mark = 0;
  // Why the file does not count; empty if the file counts, or is missing.
  std::string problem = {};

  // Returns the algorithms of the process, which reads the file at the first call. Thread-safe.
  [[nodiscard]] static const ways_of_machine& here();
  // Reads the file `name`. A missing file is no problem.
  [[nodiscard]] static ways_of_machine read(const std::string& name);
};

}  // namespace boxcar::detail
