// What the values of options on the command line may be, as the parser asks: empty if one is right,
// else what is wrong with it.
#pragma once

#include <charconv>
#include <limits>
#include <string>
#include <system_error>

namespace boxcar::tool {

// Whole numbers from 1 to what a Value can be.
template <typename Value>
std::string check_count(const std::string& text) {
  Value value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, value);
  if (problem == std::errc() && rest == end && value >= 1) return "";
  return "\"" + text + "\" is not a whole number from 1 to " +
         std::to_string(std::numeric_limits<Value>::max());
}

// Any number that an int holds.
std::string check_whole_number(const std::string& text);

// A duration greater than 0.
std::string check_seconds(const std::string& text);

// A size with its unit becomes a number of bytes.
std::string read_size(std::string& text);

}  // namespace boxcar::tool
