#include "basis/printable.hpp"

#include <array>
#include <cstddef>
#include <cstdio>

namespace boxcar::detail {
namespace {

unsigned byte_at(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

// Returns the number of bytes of the UTF-8 character at the begin of the text, or 0 if the text
// begins with anything else or with a control character.
std::size_t length_of_character(std::string_view text) {
  const unsigned first = byte_at(text, 0);
  if (first == '\n' || first == '\t') return 1;
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte_at(text, i) & 0xc0U) != 0x80) return 0;
  }
  // The control characters from U+0080 to U+009F.
  return first == 0xc2 && byte_at(text, 1) < 0xa0 ? 0 : length;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string all;
  while (!text.empty()) {
    std::size_t length = length_of_character(text);
    if (length != 0) {
      all += text.substr(0, length);
    } else {
      std::array<char, 5> escape{};
      std::snprintf(escape.data(), escape.size(), "\\x%02x", byte_at(text, 0));
      all += escape.data();
      length = 1;
    }
    text.remove_prefix(length);
  }
  return all;
}

}  // namespace boxcar::detail
