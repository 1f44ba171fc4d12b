// Bytes as hexadecimal digits, two for each byte: text that every launcher passes on unchanged, and
// every terminal shows.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace boxcar::detail {

inline std::string to_hexadecimal(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += {digits[byte >> 4], digits[byte & 15]};
  }
  return text;
}

// Other characters count as zeros.
inline std::string from_hexadecimal(std::string_view text) {
  const auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 0;
  };
  std::string bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes += static_cast<char>(digit(text[i]) << 4 | digit(text[i + 1]));
  }
  return bytes;
}

}  // namespace boxcar::detail
