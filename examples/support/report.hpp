// Reports the speed of a job, with and without aggregation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include <boxcar/conveyor_options.hpp>
#include <boxcar/world.hpp>

namespace examples {

// The total of all PEs; the same on all PEs.
struct measurement {
  std::uint64_t items = 0;
  double seconds = 0;
};

// Collective. Does one of `parts` equal parts of a job, with conveyors built by the options, and
// checks the result.
using measured_job =
    std::function<measurement(std::uint64_t parts, const boxcar::conveyor_options&)>;

struct comparison {
  bool wanted;             // also do the job with buffers of one item
  std::size_t item_bytes;  // the size of the largest item
};

// Collective. Does the job and prints the rate, on PE 0. A short job is repeated for a steady
// figure. The comparison is the same code with conveyor_options::buffer_bytes of one item: every
// item is a message of its own. It does as large a part of the job as fits into half a second.
void report(boxcar::world& w, const std::string& items, const measured_job& work, comparison with);

// 1234567 as "1,234,567".
[[nodiscard]] std::string with_commas(std::uint64_t number);

}  // namespace examples
