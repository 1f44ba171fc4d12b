// How long the word of a failure may be that PEs leave for one another.
#pragma once

#include <cstddef>

namespace boxcar::detail {

inline constexpr std::size_t failure_text_bytes = 2048;

}  // namespace boxcar::detail
