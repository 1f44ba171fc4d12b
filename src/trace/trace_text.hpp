// The text functions of the trace: JSON strings and numbers.
#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <string>
#include <string_view>

namespace boxcar::detail {

// Returns the text in quotes; characters other than printable ASCII become question marks.
inline std::string json_text(std::string_view text) {
  std::string all(1, '"');
  for (const char c : text) {
    if (c == '"' || c == '\\') all += '\\';
    all += c >= ' ' && c <= '~' ? c : '?';
  }
  all += '"';
  return all;
}

inline void append_one(std::string& to, std::string_view text) {
  to += text;
}
inline void append_one(std::string& to, std::integral auto number) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  to.append(digits.data(), end);
}

// The function appends texts unchanged, and numbers.
template <typename... Parts>
void append(std::string& to, const Parts&... parts) {
  (append_one(to, parts), ...);
}

}  // namespace boxcar::detail
