// Texts in JSON.
#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <string>
#include <string_view>

namespace boxcar::detail {

// With quotes around it; what is no printable ASCII becomes a question mark.
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

// Texts as they are, and numbers.
template <typename... Parts>
void append(std::string& to, const Parts&... parts) {
  (append_one(to, parts), ...);
}

}  // namespace boxcar::detail
