#include "hosts/channel.hpp"

#include <cerrno>
#include <memory>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

#include "launcher/pipe.hpp"

namespace boxcar::hosts {
namespace {

constexpr std::chrono::seconds between_beats{1};
constexpr std::size_t max_line = 4096;

}  // namespace

channel::channel(launcher::descriptor from, launcher::descriptor to)
    : from_(std::move(from)), to_(std::move(to)) {
  launcher::do_not_block(from_);
  launcher::do_not_block(to_);
}

channel::channel(launcher::descriptor both) : from_(std::move(both)), both_(from_.number()) {
  launcher::do_not_block(from_);
}

void channel::watch(std::vector<pollfd>& sources) const {
  if (from_.is_open()) sources.push_back({from_.number(), POLLIN, 0});
  if (!waiting_.empty() && writer() >= 0) sources.push_back({writer(), POLLOUT, 0});
}

void channel::turn() {
  write();
  read();
}

void channel::read() {
  if (!from_.is_open()) return;
  // The buffer is on the heap, as the stack may be small (ulimit -s).
  constexpr std::size_t max_bytes = 65536;
  const auto bytes = std::make_unique_for_overwrite<char[]>(max_bytes);
  constexpr int pieces_at_once = 16;  // other channels need their turns, too
  for (int piece = 0; piece < pieces_at_once; ++piece) {
    const ssize_t got = ::read(from_.number(), bytes.get(), max_bytes);
    if (got > 0) {
      arrived_.append(bytes.get(), static_cast<std::size_t>(got));
      heard_at_ = clock::now();
    } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
      from_.close();
      both_ = -1;
      return;
    } else {
      return;
    }
  }
}

std::optional<std::string> channel::next_line() {
  const std::size_t end = arrived_.find('\n', taken_);
  if (end == std::string::npos) {
    arrived_.erase(0, std::exchange(taken_, 0));
    // A program that prints on the host may print without end: only the useful length of a line is
    // kept.
    if (arrived_.size() > max_line) arrived_.resize(max_line);
    return std::nullopt;
  }
  std::string line = arrived_.substr(taken_, end - taken_);
  taken_ = end + 1;
  return line;
}

std::optional<message> channel::next() {
  auto found = decode(std::string_view(arrived_).substr(taken_));
  if (!found) {
    arrived_.erase(0, std::exchange(taken_, 0));
    return std::nullopt;
  }
  taken_ += found->bytes;
  return std::move(found->what);
}

void channel::send(const std::string& bytes) {
  if (writer() < 0) return;
  sent_at_ = clock::now();
  waiting_ += bytes;
  write();
}

void channel::beat() {
  if (!waiting_.empty() || clock::now() < sent_at_ + between_beats) return;
  send({message_kind::beat});
}

void channel::write() {
  while (!waiting_.empty() && writer() >= 0) {
    const ssize_t written = ::write(writer(), waiting_.data(), waiting_.size());
    if (written > 0) {
      waiting_.erase(0, static_cast<std::size_t>(written));
    } else if (written < 0 && errno == EAGAIN) {
      return;
    } else if (written < 0 && errno != EINTR) {
      // Nobody reads any more; messages sent to this process can still be read.
      close_writing();
    }
  }
}

void channel::flush(std::chrono::milliseconds longest) {
  const auto until = clock::now() + longest;
  while (!waiting_.empty() && writer() >= 0 && clock::now() < until) {
    constexpr int milliseconds_at_once = 10;
    pollfd room{writer(), POLLOUT, 0};
    poll(&room, 1, milliseconds_at_once);
    write();
  }
}

void channel::close() {
  from_.close();
  close_writing();
}

void channel::close_writing() {
  waiting_.clear();
  to_.close();
  if (both_ >= 0) shutdown(std::exchange(both_, -1), SHUT_WR);
}

}  // namespace boxcar::hosts
