// The channel of messages between two processes, in both directions.
#pragma once

#include <chrono>
#include <optional>
#include <poll.h>
#include <string>
#include <vector>

#include "hosts/message.hpp"
#include "launcher/descriptor.hpp"

namespace boxcar::hosts {

// After a silence of this length a process takes the connection to be broken: a cut cable causes no
// error.
inline constexpr std::chrono::seconds max_silence{20};

// The functions of a channel never block, except flush.
class channel {
 public:
  channel() = default;
  channel(launcher::descriptor from, launcher::descriptor to);
  // For a socket, which serves both directions.
  explicit channel(launcher::descriptor both);

  // Adds the descriptors for poll.
  void watch(std::vector<pollfd>& sources) const;
  // Reads arrived bytes, and continues to write.
  void turn();

  // Return the next line or message that has arrived. Throw system_error for other bytes. Lines
  // longer than some thousand bytes are shortened.
  std::optional<std::string> next_line();
  std::optional<message> next();
  void send(const message& what) { send(encode(what)); }
  void send(const std::string& bytes);
  // Sends a sign of life, if nothing has been sent for a while.
  void beat();
  // Waits until everything is written, but no longer than `longest`.
  void flush(std::chrono::milliseconds longest);

  // Returns whether nothing more arrives; bytes that have arrived can still be taken.
  [[nodiscard]] bool is_at_end() const { return !from_.is_open(); }
  // Returns the time for which nothing has arrived.
  [[nodiscard]] std::chrono::nanoseconds silence() const { return clock::now() - heard_at_; }
  void forgive_silence() { heard_at_ = clock::now(); }
  // Ends reading and writing.
  void close();
  // Lets the other side see the end of its input.
  void close_writing();

 private:
  using clock = std::chrono::steady_clock;

  void read();
  void write();
  [[nodiscard]] int writer() const { return to_.is_open() ? to_.number() : both_; }

  launcher::descriptor from_;
  launcher::descriptor to_;
  int both_ = -1;  // the number of `from_`, if the channel also writes to `from_`
  std::string arrived_;
  std::size_t taken_ = 0;  // bytes of `arrived_`
  std::string waiting_;    // to be written
  clock::time_point heard_at_ = clock::now();
  clock::time_point sent_at_ = clock::now();
};

}  // namespace boxcar::hosts
