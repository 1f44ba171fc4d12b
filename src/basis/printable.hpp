// The conversion of foreign text, for instance names of programs, for a terminal.
#pragma once

#include <string>
#include <string_view>

namespace boxcar::detail {

// Returns the text with escapes like \x1b in place of control characters (a terminal would obey
// them), and of bytes that are not UTF-8. Line ends and tabs stay.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace boxcar::detail
