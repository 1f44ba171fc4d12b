#include "option_values.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

namespace boxcar::tool {

std::string check_whole_number(const std::string& text) {
  int value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, value);
  if (problem == std::errc() && rest == end) return "";
  return "\"" + text + "\" is not a whole number, or too large";
}

std::string check_seconds(const std::string& text) {
  constexpr double most = 1e9;
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, value);
  if (problem == std::errc() && rest == end && value > 0 && value <= most) return "";
  return "\"" + text + "\" is not a number of seconds greater than 0 and up to 1e9";
}

std::string read_size(std::string& text) {
  constexpr std::array<std::pair<std::string_view, int>, 5> units{
      {{"", 0}, {"B", 0}, {"KiB", 10}, {"MiB", 20}, {"GiB", 30}}};
  std::size_t number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, number);
  if (problem == std::errc() && number >= 1) {
    for (const auto& [unit, bits] : units) {
      if (std::string_view(rest, end) != unit || number > SIZE_MAX >> bits) continue;
      text = std::to_string(number << bits);
      return "";
    }
  }
  return "\"" + text + "\" is not a size: give a number of bytes, or one with KiB, MiB or GiB";
}

}  // namespace boxcar::tool
