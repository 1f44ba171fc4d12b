#include "substrate/usable_cores.hpp"

#include <bit>
#include <cerrno>
#include <cstddef>
#include <sched.h>

namespace boxcar::detail {

// The system refuses a set smaller than the set of the kernel, and does not tell the size of the
// set.
core_set usable_cores() {
  constexpr std::size_t max_words = 1 << 14;  // a million cores
  for (std::size_t words = CPU_SETSIZE / 64; words <= max_words; words *= 2) {
    core_set cores(words);
    // (The kernel's own words are of the same form.)
    if (sched_getaffinity(0, words * sizeof cores[0], reinterpret_cast<cpu_set_t*>(cores.data())) ==
        0) {
      return cores;
    }
    if (errno != EINVAL) break;
  }
  return {1};
}

int count(const core_set& cores) {
  int all = 0;
  for (const std::uint64_t word : cores) all += std::popcount(word);
  return all;
}

bool overlap(const std::uint64_t* a, const std::uint64_t* b, std::size_t words) {
  for (std::size_t i = 0; i < words; ++i) {
    if ((a[i] & b[i]) != 0) return true;
  }
  return false;
}

}  // namespace boxcar::detail
