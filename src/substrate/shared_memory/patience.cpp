#include "substrate/shared_memory/patience.hpp"

#include <algorithm>

namespace boxcar::detail {
namespace {

constexpr std::uint32_t spins_with_a_core_each = 2000;  // about 100 microseconds
// A wake-up is faster than a longer yield.
constexpr auto long_yield = std::chrono::microseconds(200);
constexpr std::chrono::nanoseconds max_time = std::chrono::milliseconds(128);

}  // namespace

void patience::restore() {
  spins_ = has_core_ ? spins_with_a_core_each : 0;
  yields_ = max_yields;
}

void patience::look(clock::time_point now) {
  if (yields_ == 0 && now >= restored_at_) restore();
}

void patience::note_yield(clock::time_point begin, clock::time_point end) {
  if (!has_core_) return;
  if (end - begin <= long_yield) {
    next_time_ = min_time;
    return;
  }
  spins_ = 0;
  yields_ = 0;
  restored_at_ = end + next_time_;
  next_time_ = std::min(2 * next_time_, max_time);
}

}  // namespace boxcar::detail
