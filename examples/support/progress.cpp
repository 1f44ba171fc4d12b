#include "support/progress.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
#include <utility>

namespace examples {
namespace {

using namespace std::chrono_literals;

constexpr auto patience = 1s;
constexpr auto between_rewrites = 100ms;
constexpr auto between_lines = 3s;

// Ends a line that will be rewritten. `boxcar run` passes text on by lines, and treats the '\r' as
// the end of a line.
constexpr const char* end_of_rewritten_line = "\033[K\r";

// `boxcar run` passes standard error on to its own, and sets a variable if it is a terminal.
bool ends_at_terminal() {
  return isatty(STDERR_FILENO) == 1 || std::getenv("BOXCAR_TERMINAL") != nullptr;
}

std::chrono::nanoseconds between(bool terminal) {
  if (terminal) return between_rewrites;
  return between_lines;
}

// Draws the finished part of a whole.
std::string bar_of(double percent) {
  constexpr std::size_t length = 20;
  const auto done = static_cast<std::size_t>(percent / 100 * length);
  return " [" + std::string(done, '#') + std::string(length - done, '.') + "]";
}

}  // namespace

progress::progress(const boxcar::world& w, std::string what, std::uint64_t total,
                   std::chrono::nanoseconds before)
    : world_(w),
      what_(std::move(what)),
      total_(std::max<std::uint64_t>(total, 1)),
      start_(w.now() - before),
      next_line_(start_ + patience),
      terminal_(ends_at_terminal()) {
  // The lines of the whole keep their distance, however many displays take part in it.
  const std::chrono::nanoseconds distance = between(terminal_);
  if (before > patience) next_line_ += ((before - patience) / distance + 1) * distance;
}

progress::~progress() {
  if (shown_ && terminal_) std::fputs(end_of_rewritten_line, stderr);
}

void progress::look(std::uint64_t done) {
  if (world_.rank() != 0) return;
  const auto now = world_.now();
  if (now < next_line_) return;
  next_line_ = now + between(terminal_);
  const double percent =
      std::min(100.0 * static_cast<double>(done) / static_cast<double>(total_), 100.0);
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const std::string end = terminal_ ? bar_of(percent) + end_of_rewritten_line : "\n";
  std::fprintf(stderr, "%s: %.0f %% after %.1f s%s", what_.c_str(), percent, seconds, end.c_str());
  std::fflush(stderr);
  shown_ = true;
}

}  // namespace examples
