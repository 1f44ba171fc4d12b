// Text of others, as names of programs, that is printed to a terminal.
#pragma once

#include <string>
#include <string_view>

namespace boxcar::tool {

// Returns the text with escapes like \x1b in place of control characters, which a terminal would
// obey, and of bytes that are not UTF-8. Line ends and tabs stay.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace boxcar::tool
