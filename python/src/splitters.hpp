// Which PE a key goes to when all keys are sorted: the splitters are the first keys of the second,
// third, ... PE.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "arrays.hpp"

namespace boxcar::python {

// words[i] becomes a number for the i-th key that is ordered as keys are: what is not a number
// comes last, and 0.0 and -0.0 are equal.
void ordered_words(std::string_view type, const read_bytes& keys, std::span<std::uint64_t> words);

// to[i] becomes how many splitters are not behind the i-th key. The k-th splitter is behind keys
// with smaller words, and behind those of the same word that come before the place[k]-th key here:
// so are equal keys told apart, and many of them shared out.
void split_keys(std::string_view type, const read_bytes& keys,
                std::span<const std::uint64_t> splitters, std::span<const std::uint64_t> places,
                std::span<std::int32_t> to);

}  // namespace boxcar::python
