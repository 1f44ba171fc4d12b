// Calls into libfabric whose failure becomes an exception with its own text.
#pragma once

#include <string>

namespace boxcar::detail::ofi {

// What libfabric says to a code that one of its functions returned.
std::string text_of(long code);

// Throws system_error if `code`, which `function` returned, says that it failed.
void check(long code, const char* function);

}  // namespace boxcar::detail::ofi
