#include "substrate/attention.hpp"

#include <algorithm>

namespace boxcar::detail {
namespace {

// After something was done more of it often follows at once, as when a PE asks again and again. (To
// nap is better than to yield then: if the PE computes on the same core, Linux lets a thread that
// wakes up have it at once, and one that has yielded after some milliseconds.)
constexpr auto attentive = std::chrono::microseconds(100);
constexpr std::chrono::nanoseconds shortest_nap = std::chrono::microseconds(5);
// Where nothing has happened for long nothing is expected soon: whoever asks then waits a little
// longer, by a small part of that time, and a thread that has nothing to do takes next to none.
constexpr std::chrono::nanoseconds longest_nap = std::chrono::milliseconds(50);
constexpr int idle_times_per_nap = 64;

}  // namespace

void attention::found(sight what, clock::time_point now) {
  if (what == sight::work) last_work_ = now;
  if (what == sight::the_pe) last_visit_ = now;
  const auto idle = now - std::max(last_work_, last_visit_);
  nap_ = now - last_work_ < attentive
             ? shortest_nap
             : std::min(2 * nap_, std::clamp(idle / idle_times_per_nap, usual_nap, longest_nap));
  due_ = now + nap_;
}

}  // namespace boxcar::detail
