// The common parts of the two forms of index-gather: the command line, the input, and the check.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <boxcar/conveyor_options.hpp>
#include <boxcar/world.hpp>

namespace examples {

// Collective. Element g of the whole array lies on PE g % size(), at place g / size() of its
// `array`. Returns the elements at the indices `index`, in order.
using gather_function = std::function<std::vector<std::uint64_t>(
    boxcar::world& w, const std::vector<std::uint64_t>& array,
    const std::vector<std::uint64_t>& index, const boxcar::conveyor_options& options)>;

// The whole `main`: runs `gather` on random indices, checks every value and prints the rate.
// `item_bytes` is the size of the largest item.
int run_gather(int argc, const char* const* argv, const gather_function& gather,
               std::size_t item_bytes);

}  // namespace examples
