// The cores available to this process, as bound by its launcher or by the system.
#pragma once

#include <cstdint>
#include <vector>

namespace boxcar::detail {

// A bit for each core of the machine, however many cores there are: core 0 is the lowest bit of the
// first word. Core 0 alone if the system does not tell.
using core_set = std::vector<std::uint64_t>;

core_set usable_cores();

int count(const core_set& cores);
bool overlap(const std::uint64_t* a, const std::uint64_t* b, std::size_t words);

}  // namespace boxcar::detail
