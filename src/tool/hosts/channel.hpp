// The way of messages between two processes: what one reads from and the other writes to, and back.
#pragma once

#include <chrono>
#include <optional>
#include <poll.h>
#include <string>
#include <vector>

#include "hosts/message.hpp"
#include "launcher/descriptor.hpp"

namespace boxcar::hosts {

// Who has heard nothing for so long takes the connection to be broken: cut cables do not tell.
inline constexpr std::chrono::seconds longest_silence{20};

// Nothing here waits.
class channel {
 public:
  channel() = default;
  channel(launcher::descriptor from, launcher::descriptor to);
  // For a socket, which is both.
  explicit channel(launcher::descriptor both);

  // Adds what poll is to wait for.
  void watch(std::vector<pollfd>& sources) const;
  // Reads what has arrived, and writes on.
  void turn();

  // The next line, or message, that has arrived. Throws system_error if it is neither. A line that
  // is longer than some thousand bytes is shortened.
  std::optional<std::string> next_line();
  std::optional<message> next();
  void send(const message& what) { send(encode(what)); }
  void send(const std::string& bytes);
  // Says that somebody is here, if nothing else has been said for a while.
  void beat();
  // Waits until everything is written, or so long.
  void flush(std::chrono::milliseconds longest);

  // Nothing more arrives; what has arrived can still be taken.
  [[nodiscard]] bool is_at_end() const { return !from_.is_open(); }
  // For how long nothing has arrived.
  [[nodiscard]] std::chrono::nanoseconds silence() const { return clock::now() - heard_at_; }
  void forgive_silence() { heard_at_ = clock::now(); }
  // No more is read or written.
  void close();
  // The other side shall see the end of what it reads.
  void close_writing();

 private:
  using clock = std::chrono::steady_clock;

  void read();
  void write();
  [[nodiscard]] int writer() const { return to_.is_open() ? to_.number() : both_; }

  launcher::descriptor from_;
  launcher::descriptor to_;
  int both_ = -1;  // the number of `from_`, if that is written to, too
  std::string arrived_;
  std::size_t taken_ = 0;  // of that
  std::string waiting_;    // to be written
  clock::time_point heard_at_ = clock::now();
  clock::time_point sent_at_ = clock::now();
};

}  // namespace boxcar::hosts
