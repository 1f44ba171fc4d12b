#include "substrate/attention.hpp"

#include <algorithm>

namespace boxcar::detail {
namespace {

// After some work, more work often follows at once, as when a PE sends request after request. (A
// nap is better than a yield here: if the PE computes on the same core, Linux gives the core at
// once to a thread that wakes up, but only after some milliseconds to a thread that has yielded.)
constexpr auto attentive = std::chrono::microseconds(100);
constexpr std::chrono::nanoseconds shortest_nap = std::chrono::microseconds(5);
// After a long time without work, no work is expected soon. A PE with a request then waits a little
// longer for the thread, by a small part of the idle time, and a thread without work takes hardly
// any time of a core.
constexpr std::chrono::nanoseconds max_nap = std::chrono::milliseconds(50);
constexpr int idle_times_per_nap = 64;

}  // namespace

void attention::found(sight what, clock::time_point now) {
  if (what == sight::work) last_work_ = now;
  if (what == sight::the_pe) last_visit_ = now;
  const auto idle = now - std::max(last_work_, last_visit_);
  nap_ = now - last_work_ < attentive
             ? shortest_nap
             : std::min(2 * nap_, std::clamp(idle / idle_times_per_nap, usual_nap, max_nap));
  due_ = now + nap_;
}

}  // namespace boxcar::detail
