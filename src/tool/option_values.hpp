// The checks of option values on the command line, in the form that the parser expects: empty if a
// value is right, otherwise the error in the value.
#pragma once

#include <charconv>
#include <limits>
#include <string>
#include <system_error>

namespace boxcar::tool {

// Checks for whole numbers from 1 to the maximum of Value.
template <typename Value>
std::string check_count(const std::string& text) {
  Value value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, value);
  if (problem == std::errc() && rest == end && value >= 1) return "";
  return "\"" + text + "\" is not a whole number from 1 to " +
         std::to_string(std::numeric_limits<Value>::max());
}

// Checks for any number that an int holds.
std::string check_whole_number(const std::string& text);

// Checks for a duration greater than 0.
std::string check_seconds(const std::string& text);

// Converts a size with its unit to a number of bytes.
std::string read_size(std::string& text);

}  // namespace boxcar::tool
