// Failed calls into libfabric become exceptions with libfabric's own text.
#pragma once

#include <string>

namespace boxcar::detail::ofi {

// Returns libfabric's text for a code that a libfabric function has returned.
std::string text_of(long code);

// Throws system_error if `code`, the result of `function`, reports a failure.
void check(long code, const char* function);

}  // namespace boxcar::detail::ofi
