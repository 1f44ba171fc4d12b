// Unpredictable numbers from the system's generator for secrets.
#pragma once

#include <cstdint>

namespace boxcar::detail::ofi {

// Throws system_error.
[[nodiscard]] std::uint64_t random_number();

}  // namespace boxcar::detail::ofi
