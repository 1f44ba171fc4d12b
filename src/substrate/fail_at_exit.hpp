// For what goes wrong when nobody is left to whom it could be thrown.
#pragma once

#include <string>

namespace boxcar::detail {

// Prints the text, the first of this process, and has the program end with status 1 instead of 0.
void fail_at_exit(const std::string& text) noexcept;

}  // namespace boxcar::detail
