// The results of `boxcar plan`.
#pragma once

#include <string>
#include <vector>

#include <boxcar/conveyor_plan.hpp>

namespace boxcar::planner {

// A setting tried on a simulated machine.
struct tried_setting {
  planned_setting setting;
  double seconds;
};

// The best setting of a family of ways.
struct runner_up {
  planned_setting setting;
  bool fits = true;  // in the available memory; otherwise the setting takes least memory
};

struct plan {
  plan_request wish;
  std::string network;
  simulated_network costs;
  std::vector<planned_setting> settings;  // the best one first
  std::vector<runner_up> runners_up;
  std::vector<tried_setting> tried;  // in the order of the settings
  // Settings without a simulation, as no session can be as short with them as the best simulated
  // session.
  std::size_t ruled_out = 0;

  [[nodiscard]] const planned_setting& best() const { return settings.front(); }
};

// Return the rates of a session: items per second and PE, and bytes per second and node.
double items_per_second(const plan_request& wish, const planned_setting& p);
double bytes_per_second(const planned_setting& p);

// Return the limit of a setting, and the reason why a setting is slower than the best setting.
std::string limit_text(const planned_setting& p);
std::string reason_against(const plan_request& wish, const runner_up& other,
                           const planned_setting& best);

// Returns a warning if the best setting takes so much memory that the user must have wanted a
// bound, and gave none; otherwise an empty text.
std::string memory_warning(const plan& p);

}  // namespace boxcar::planner
