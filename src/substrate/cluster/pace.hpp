// A pace limits how often a PE polls a library for completions. Every poll drives the whole library
// forward, which over TCP is a system call of a microsecond, and PEs with a shared core would spend
// most of their time polling. So such PEs poll again after an eighth of the time since the last
// completion, at the latest after 20 microseconds. A PE with a core of its own polls each time.
#pragma once

#include <algorithm>
#include <chrono>

namespace boxcar::detail {

class pace {
 public:
  explicit pace(bool has_core) : has_core_(has_core) {}

  // Returns whether a poll is due.
  [[nodiscard]] bool is_due() const {
    return has_core_ || wait_ == duration{} || clock::now() >= asked_ + wait_;
  }

  // The functions below record the result of a poll. The start of an operation counts as an end.
  void something_ended() {
    if (has_core_) return;
    last_end_ = clock::now();
    wait_ = {};
  }
  void nothing_ended() {
    if (has_core_) return;
    asked_ = clock::now();
    wait_ = std::min((asked_ - last_end_) / 8, longest);
  }

 private:
  using clock = std::chrono::steady_clock;
  using duration = clock::duration;
  static constexpr duration longest = std::chrono::microseconds(20);

  bool has_core_;
  clock::time_point last_end_ = clock::now();
  clock::time_point asked_{};
  duration wait_{};
};

}  // namespace boxcar::detail
