#include "text.hpp"

#include <array>
#include <cstdio>

namespace boxcar::bench {

std::string with_commas(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t place = text.size(); place > 3; place -= 3) text.insert(place - 3, 1, ',');
  return text;
}

std::string decimal(double number, int digits) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f", digits, number);
  return text.data();
}

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::array units{" B", " KiB", " MiB", " GiB", " TiB"};
  constexpr double next = 1024;
  constexpr double many = 10 * next;
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (unit + 1 < units.size() &&
         (value >= many ||
          (value >= next &&
           value == 1024.0 * static_cast<double>(static_cast<std::uint64_t>(value / 1024))))) {
    value /= next;
    ++unit;
  }
  return decimal(value, 0) + units[unit];
}

std::string seconds_text(double seconds) {
  constexpr std::array units{" s", " ms", " us", " ns"};
  std::size_t unit = 0;
  while (unit + 1 < units.size() && seconds < 1) {
    seconds *= 1000;
    ++unit;
  }
  return decimal(seconds, seconds < 10 ? 2 : 1) + units[unit];
}

std::string escaped(std::string_view text) {
  std::string all;
  for (const char c : text) {
    switch (c) {
      case '&':
        all += "&amp;";
        break;
      case '<':
        all += "&lt;";
        break;
      case '>':
        all += "&gt;";
        break;
      case '"':
        all += "&quot;";
        break;
      default:
        all += c;
    }
  }
  return all;
}

}  // namespace boxcar::bench
