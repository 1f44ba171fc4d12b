// How often it is worth asking a library whether something has ended. Every test drives all of it
// forward, which over TCP is a system call of a microsecond, and PEs that share a core would spend
// most of their time with it. So they ask again for what has not ended after an eighth of the time
// for which nothing has, or after 20 microseconds. A PE that has a core asks each time.
#pragma once

#include <algorithm>
#include <chrono>

namespace boxcar::detail {

class pace {
 public:
  explicit pace(bool has_core) : has_core_(has_core) {}

  // It is time to ask.
  [[nodiscard]] bool is_due() const {
    return has_core_ || wait_ == duration{} || clock::now() >= asked_ + wait_;
  }

  // What came of it; to begin what is asked for counts as an end.
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
