// Checks of arguments that can never work. Each returns a text with the values and the remedy,
// empty if nothing is wrong. Local.
#pragma once

#include <cstddef>
#include <string>

#include <boxcar/collective_options.hpp>

#include "collective/request.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

[[nodiscard]] std::string problem_of_root(const collective_request& call, int pes);
[[nodiscard]] std::string problem_of_options(collective_operation kind,
                                             const collective_options& options,
                                             const substrate& world);
// Checks only lengths that the PE can judge without other PEs.
[[nodiscard]] std::string problem_of_lengths(const collective_request& call, int pes, bool is_root);
// Checks that the blocks of all PEs, `sum` bytes together, have the size of the input of a scatter,
// or of the room for the output of a gather.
[[nodiscard]] std::string problem_of_blocks(const collective_request& call, std::size_t sum,
                                            bool is_root);
[[nodiscard]] std::string problem_of_overlap(const collective_request& call, int pe);

}  // namespace boxcar::detail
