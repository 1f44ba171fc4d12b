#include "launcher/line_splitter.hpp"

namespace boxcar::launcher {

void line_splitter::take(std::string_view text, std::string& lines) {
  if (text.empty()) return;
  if (after_return_ && text.front() == '\n') {
    lines += '\n';
    text.remove_prefix(1);
  }
  after_return_ = !text.empty() && text.back() == '\r';
  while (true) {
    std::size_t end = text.find_first_of("\r\n");
    if (end == std::string_view::npos) break;
    ++end;
    if (text.substr(end - 1, 2) == "\r\n") ++end;
    pass_on(text.substr(0, end), lines);
    text.remove_prefix(end);
  }
  unfinished_ += text;
  if (unfinished_.size() > longest_line) finish(lines);
}

void line_splitter::finish(std::string& lines) {
  if (unfinished_.empty()) return;
  pass_on(label_.empty() ? "" : "\n", lines);
}

void line_splitter::pass_on(std::string_view rest_of_line, std::string& lines) {
  lines += label_;
  lines += unfinished_;
  lines += rest_of_line;
  unfinished_.clear();
}

}  // namespace boxcar::launcher
