// The ways in which a benchmark lets a collective travel.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <boxcar/collective_options.hpp>

#include "setting.hpp"

namespace boxcar::bench {

struct collective_variant {
  std::string name;  // such as "k_ary_tree/2/65536": topology, fan-out, bytes of a piece
  collective_options how = {};
};

// Returns the automatic choice and, as `setting::variants` says, each topology once, or all trees
// and pieces. `bytes`: those of the PE with the largest input or output.
[[nodiscard]] std::vector<collective_variant> variants_of_collective(const setting& s,
                                                                     std::size_t bytes);

}  // namespace boxcar::bench
