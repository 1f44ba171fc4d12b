// Chooses the fastest algorithm of a collective for each number of bytes. Pure.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "collective/measured_ways.hpp"

namespace boxcar::tool {

struct timed_way {
  detail::measured_way how;          // without a range of bytes
  std::vector<double> seconds = {};  // of each turn, on the slowest PE
};

// The ways of a collective for one number of bytes, measured in turns.
struct timed_ways {
  std::size_t bytes = 0;             // as a row counts bytes
  std::vector<timed_way> each = {};  // the built-in choice first; all with equally many turns
};

// Returns true if the way may be chosen. In a loop of runs PEs run ahead of one another along a
// chain, which hides how long a run takes: a chain must be full of pieces. In shared memory each PE
// keeps its input in two runs and more.
[[nodiscard]] bool is_sound(const detail::measured_way& way, std::size_t bytes);

// Returns the index of the way to choose: the built-in way, unless another one is clearly faster.
[[nodiscard]] std::size_t fastest_of(const timed_ways& all);

// Returns rows for all numbers of bytes. Precondition: `sizes` is sorted by bytes, and not empty.
[[nodiscard]] std::vector<detail::measured_way> fastest_ways(std::span<const timed_ways> sizes);

}  // namespace boxcar::tool
