// The standard input of the launcher, which is forwarded to the host of rank 0.
#pragma once

#include <cstddef>
#include <poll.h>
#include <unistd.h>
#include <vector>

#include "hosts/channel.hpp"

namespace boxcar::hosts {

class forwarded_input {
 public:
  // Returns false if the input is a terminal, or has ended.
  [[nodiscard]] bool goes_on() const { return goes_on_; }
  // Adds the input to what `poll` waits for, if more may be forwarded now.
  void watch(std::vector<pollfd>& sources) const;
  // Forwards what has come, or the end of the input. Never waits.
  void forward(channel& host);
  // The program has read so many bytes.
  void was_taken(std::size_t bytes);

 private:
  [[nodiscard]] bool has_room() const;

  bool goes_on_ = isatty(STDIN_FILENO) == 0;
  std::size_t on_the_way_ = 0;  // bytes that the program has not read
};

}  // namespace boxcar::hosts
