// The division of a PE's output into lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace boxcar::launcher {

// A line ends with "\n", "\r\n", or "\r", by which progress displays overwrite themselves.
class line_splitter {
 public:
  // Longer lines are passed on in pieces, to save memory.
  static constexpr std::size_t longest_line = std::size_t{1} << 20;

  // Every line begins with `label`, which may be empty.
  explicit line_splitter(std::string label) : label_(std::move(label)) {}

  // Takes the next output of the PE, and appends the lines that become complete to `lines`.
  void take(std::string_view text, std::string& lines);
  // Appends the last, incomplete line of the PE. A line end is added if lines are labelled.
  void finish(std::string& lines);

 private:
  void pass_on(std::string_view rest_of_line, std::string& lines);

  std::string label_;
  std::string unfinished_;
  bool after_return_ = false;  // a "\n" now would belong to the line before
};

}  // namespace boxcar::launcher
