#include "launcher/line_stream.hpp"

#include <cerrno>
#include <memory>
#include <string_view>
#include <unistd.h>

namespace boxcar::launcher {

void line_stream::forward(bool writers_are_gone) {
  // The capacity of a pipe. Further bytes are left for the next turn, so that one PE cannot keep
  // the launcher from the other PEs.
  constexpr std::size_t max_bytes = 65536;
  if (!is_open() || to_->is_behind()) return;
  // The buffer is on the heap, as the stack may be small (ulimit -s).
  const auto text = std::make_unique_for_overwrite<char[]>(max_bytes);
  const ssize_t bytes = read(from_.number(), text.get(), max_bytes);
  if (bytes > 0) {
    std::string lines;
    splitter_.take({text.get(), static_cast<std::size_t>(bytes)}, lines);
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
