// Numbers that are in order in several runs, in one order: where there are few runs, faster than
// sorting the numbers.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "arrays.hpp"

namespace boxcar::python {

// Puts the numbers in order, NaNs last. `lengths`: the numbers of elements of the runs, one after
// the other. Precondition: each run is in order, and the lengths add up to the number of elements.
void merge_runs(std::string_view type, const written_bytes& numbers,
                const std::vector<std::size_t>& lengths);

}  // namespace boxcar::python
