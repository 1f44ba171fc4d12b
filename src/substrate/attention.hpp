// An attention decides when a progress thread looks at a PE again: soon after the thread has found
// work, and the later the longer there was no work. A PE that does everything itself needs the
// thread no more than an idle PE.
#pragma once

#include <chrono>
#include <cstdint>

namespace boxcar::detail {

class attention {
 public:
  using clock = std::chrono::steady_clock;
  static constexpr clock::time_point never = clock::time_point::max();
  enum class sight : std::uint8_t { work, nothing, the_pe };

  explicit attention(clock::time_point begun) : last_work_(begun), last_visit_(begun) {}

  [[nodiscard]] clock::time_point due() const { return due_; }
  // An awake thread also looks at PEs that are due before long, lest each PE wakes the thread.
  [[nodiscard]] bool is_due(clock::time_point now) const { return due_ - nap_ / 2 <= now; }
  // Returns true if the next look is late enough that the thread must be notified of earlier
  // events.
  [[nodiscard]] bool is_lax() const { return nap_ > usual_nap; }

  void found(sight what, clock::time_point now);
  void look_at_once() { due_ = clock::time_point(); }
  void look_never() { due_ = never; }

 private:
  // The thread serves a PE that begins to compute within two usual naps.
  static constexpr std::chrono::nanoseconds usual_nap = std::chrono::milliseconds(1);

  std::chrono::nanoseconds nap_ = usual_nap;
  clock::time_point due_ = never;
  clock::time_point last_work_;
  clock::time_point last_visit_;
};

}  // namespace boxcar::detail
