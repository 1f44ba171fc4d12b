// When a progress thread looks at a PE again: soon where it has found work, and the later the
// longer there was none. A PE that does everything itself needs it no more than one where nothing
// happens.
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
  // A thread that is awake also looks at those that are due before long, lest each PE wakes it.
  [[nodiscard]] bool is_due(clock::time_point now) const { return due_ - nap_ / 2 <= now; }
  // It looks so late that it wants to know of whatever happens before.
  [[nodiscard]] bool is_lax() const { return nap_ > usual_nap; }

  void found(sight what, clock::time_point now);
  void look_at_once() { due_ = clock::time_point(); }
  void look_never() { due_ = never; }

 private:
  // A PE that begins to compute is served after two of these at most.
  static constexpr std::chrono::nanoseconds usual_nap = std::chrono::milliseconds(1);

  std::chrono::nanoseconds nap_ = usual_nap;
  clock::time_point due_ = never;
  clock::time_point last_work_;
  clock::time_point last_visit_;
};

}  // namespace boxcar::detail
