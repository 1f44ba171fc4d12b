// Cuts what a PE prints into lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace boxcar::launcher {

// A line ends with "\n", "\r\n", or "\r", by which progress displays overwrite themselves.
class line_splitter {
 public:
  // What is longer than this is passed on in pieces, for memory's sake.
  static constexpr std::size_t longest_line = std::size_t{1} << 20;

  // Every line begins with `label`, which may be empty.
  explicit line_splitter(std::string label) : label_(std::move(label)) {}

  // Takes what the PE has printed next, and appends to `lines` what that completes.
  void take(std::string_view text, std::string& lines);
  // Nothing follows: appends a line that the PE has not ended. It gets its end if lines are
  // labelled.
  void finish(std::string& lines);

 private:
  void pass_on(std::string_view rest_of_line, std::string& lines);

  std::string label_;
  std::string unfinished_;
  bool after_return_ = false;  // a "\n" now would belong to the line before
};

}  // namespace boxcar::launcher
