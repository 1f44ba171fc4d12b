// What `boxcar plan` has found out.
#pragma once

#include <string>
#include <vector>

#include <boxcar/conveyor_plan.hpp>

namespace boxcar::planner {

// One that was tried on a simulated machine.
struct tried_setting {
  planned_setting setting;
  double seconds;
};

// The best of those that go the same kind of way.
struct runner_up {
  planned_setting setting;
  bool fits = true;  // in the memory that there is; otherwise it is the one that takes least
};

struct plan {
  plan_request wish;
  std::string network;
  simulated_network costs;
  std::vector<planned_setting> settings;  // the best one first
  std::vector<runner_up> runners_up;
  std::vector<tried_setting> tried;  // in the order of the settings
  // Not simulated, as no session can be as short with them as the best of those that were.
  std::size_t ruled_out = 0;

  [[nodiscard]] const planned_setting& best() const { return settings.front(); }
};

// What a setting makes of its session: per second and PE, and per second and node.
double items_per_second(const plan_request& wish, const planned_setting& p);
double bytes_per_second(const planned_setting& p);

// Why a setting is slower than the best one, or what limits that.
std::string limit_text(const planned_setting& p);
std::string reason_against(const plan_request& wish, const runner_up& other,
                           const planned_setting& best);

}  // namespace boxcar::planner
