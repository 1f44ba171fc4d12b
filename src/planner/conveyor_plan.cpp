// The functions of conveyor_plan.hpp: forecast settings, and put the best setting first.
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>

#include <boxcar/conveyor_plan.hpp>
#include <boxcar/error.hpp>

#include "model/buffer_size.hpp"
#include "planner/forecaster.hpp"
#include "planner/setting_code.hpp"
#include "planner/settings.hpp"

namespace boxcar {
namespace {

// The model counts times as equal if they differ by less than this factor.
constexpr double same = 1.01;

// The function sorts settings by time; of settings about equally fast, the setting that takes least
// memory comes first.
void put_best_first(std::vector<planned_setting>& all) {
  std::ranges::stable_sort(all, {}, &planned_setting::seconds);
  const double limit = all.front().seconds * same;
  const auto slower =
      std::ranges::find_if(all, [limit](const planned_setting& p) { return p.seconds > limit; });
  std::stable_sort(all.begin(), slower, [](const planned_setting& a, const planned_setting& b) {
    return a.memory_bytes < b.memory_bytes;
  });
}

}  // namespace

std::vector<planned_setting> plan_conveyor(const plan_request& wish,
                                           const simulated_network& network) {
  detail::check(wish, network);
  std::vector<planned_setting> all;
  std::size_t least = std::numeric_limits<std::size_t>::max();
  std::string of_least;
  for (const detail::planned_way& way : detail::ways_of(wish, network)) {
    const bool synchronous = way.options.kind != conveyor_kind::tensor;
    conveyor_options options = way.options;
    const detail::forecaster of_way(wish, network, options);
    for (const int per_link : synchronous ? std::vector{2} : std::vector{1, 2, 4}) {
      options.buffers_per_link = per_link;
      for (const std::size_t bytes : detail::buffer_sizes_of(wish)) {
        options.buffer_bytes = bytes;
        const std::size_t memory = of_way.memory_bytes(options);
        if (memory < least) {
          least = memory;
          of_least = detail::way_text(options);
        }
        if (wish.max_bytes != 0 && memory > wish.max_bytes) break;
        all.push_back(of_way.with(options));
        all.back().code = detail::code_of(options, way.route_code);
        // Larger buffers would never be full.
        if (all.back().fill < 0.2) break;
      }
    }
  }
  if (all.empty()) {
    throw argument_error("a conveyor for " + std::to_string(wish.nodes) + " nodes of " +
                         std::to_string(wish.pes_per_node) + " PEs does not fit in " +
                         std::to_string(wish.max_bytes) + " bytes on each PE: give at least " +
                         std::to_string(least) + " (" + of_least + ")");
  }
  put_best_first(all);
  if (!(all.front().seconds > 0)) {
    throw argument_error(
        "with this network a session takes no time, so that no setting is better than another: "
        "give "
        "the network's costs (core.push, other_node.gap and so on)");
  }
  return all;
}

}  // namespace boxcar
