// Numbers as people read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace boxcar::bench {

// 1234567 as "1,234,567".
[[nodiscard]] std::string with_commas(std::uint64_t number);
// 524288 as "512 KiB", 1000 as "1000 B".
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);
// 0.0123 as "12.3 ms".
[[nodiscard]] std::string seconds_text(double seconds);
// Escapes a text for text or an attribute in XML and HTML.
[[nodiscard]] std::string escaped(std::string_view text);
// A number with `digits` digits behind the point.
[[nodiscard]] std::string decimal(double number, int digits);

}  // namespace boxcar::bench
