#include "launcher/line_output.hpp"

#include <cerrno>
#include <climits>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace boxcar::launcher {
namespace {

bool is_file(int descriptor) {
  struct stat status {};
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

// Returns whether a line after this text would not begin at the left. A "\r" leads back to the
// left, but then the line would overwrite the text of a progress display, unless the display has
// erased itself.
bool leaves_line_open(std::string_view text) {
  text.remove_prefix(text.find_last_of('\n') + 1);
  if (text.ends_with('\r')) text.remove_suffix(1);
  text.remove_prefix(text.find_last_of('\r') + 1);
  return text.find_first_not_of(' ') != std::string_view::npos;
}

}  // namespace

line_output::line_output(int descriptor)
    : descriptor_(descriptor), takes_everything_(is_file(descriptor)) {}

void line_output::put(int writer, std::string_view text) {
  if (text.empty() || failure_ != 0) return;
  if (line_is_open_ && writer != last_writer_) pending_ += '\n';
  pending_ += text;
  line_is_open_ = leaves_line_open(text);
  last_writer_ = writer;
  write_what_fits();
}

void line_output::write_what_fits() {
  std::string_view rest = pending_;
  while (!rest.empty() && has_room()) {
    const ssize_t written = write(descriptor_, rest.data(), next_piece_of(rest));
    if (written >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      break;
    } else if (errno != EINTR) {
      failure_ = errno;
      rest = {};
    }
  }
  pending_.erase(0, pending_.size() - rest.size());
}

bool line_output::has_room() const {
  if (takes_everything_) return true;
  pollfd room{descriptor_, POLLOUT, 0};
  return poll(&room, 1, 0) == 1;
}

// Returns the length of the next piece. If poll reports room, PIPE_BUF bytes can be written without
// blocking, and arrive together even if other processes write, too. So the piece consists of as
// many whole lines as fit in PIPE_BUF bytes.
std::size_t line_output::next_piece_of(std::string_view text) const {
  if (takes_everything_ || text.size() <= PIPE_BUF) return text.size();
  const std::size_t line_end = text.substr(0, PIPE_BUF).find_last_of('\n');
  return line_end == std::string_view::npos ? PIPE_BUF : line_end + 1;
}

}  // namespace boxcar::launcher
