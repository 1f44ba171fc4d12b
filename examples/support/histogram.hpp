// The common parts of the two forms of histogram: the command line, the input, and the check.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <boxcar/conveyor_options.hpp>
#include <boxcar/world.hpp>

namespace examples {

// Collective. Slot g of the whole table lies on PE g % size(), at place g / size() of its `table`.
// Counts every index of any PE.
using count_function =
    std::function<void(boxcar::world& w, const std::vector<std::uint64_t>& index,
                       std::vector<std::uint64_t>& table, const boxcar::conveyor_options& options)>;

// The whole `main`: runs `count` on random indices, checks the table and prints the rate.
int run_histogram(int argc, const char* const* argv, const count_function& count);

}  // namespace examples
