// Failures at a time when no caller is left to catch an exception.
#pragma once

#include <string>

namespace boxcar::detail {

// Prints the text, if the text is the first of this process, and makes the program end with status
// 1 instead of 0.
void fail_at_exit(const std::string& text) noexcept;

}  // namespace boxcar::detail
