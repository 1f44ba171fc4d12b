// The maximum length of the failure message that a PE leaves for other PEs.
#pragma once

#include <cstddef>

namespace boxcar::detail {

inline constexpr std::size_t failure_text_bytes = 2048;

}  // namespace boxcar::detail
