#include "launcher/line_stream.hpp"

#include <array>
#include <cerrno>
#include <string_view>
#include <unistd.h>

namespace boxcar::launcher {

void line_stream::forward(bool writers_are_gone) {
  // As much as a pipe holds. More is left for the next turn, so that one PE cannot keep the
  // launcher from the others.
  std::array<char, 65536> text;
  if (!is_open() || to_->is_behind()) return;
  const ssize_t bytes = read(from_.number(), text.data(), text.size());
  if (bytes > 0) {
    std::string lines;
    splitter_.take({text.data(), static_cast<std::size_t>(bytes)}, lines);
    to_->put(writer_, lines);
  } else if (bytes == 0 || (errno == EAGAIN && writers_are_gone)) {
    finish();
  }
}

void line_stream::finish() {
  std::string lines;
  splitter_.finish(lines);
  to_->put(writer_, lines);
  from_.close();
}

}  // namespace boxcar::launcher
