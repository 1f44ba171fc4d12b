#include "planner/forecaster.hpp"

#include <string>

#include <boxcar/conveyor_plan.hpp>
#include <boxcar/detail/max_pes.hpp>
#include <boxcar/error.hpp>

#include "conveyor/option_check.hpp"
#include "planner/session_forecast.hpp"
#include "planner/setting_code.hpp"

namespace boxcar::detail {

void check(const plan_request& wish, const simulated_network& network) {
  const auto range = [](auto value, const char* what, auto least, auto most) {
    if (value >= least && value <= most) return;
    throw argument_error(std::string("a plan for ") + what + " " + std::to_string(value) +
                         ": give " + std::to_string(least) + " to " + std::to_string(most));
  };
  range(wish.nodes, "nodes =", 1, max_simulated_pes);
  range(wish.pes_per_node, "pes_per_node =", 1, max_simulated_pes);
  range(std::int64_t{wish.nodes} * wish.pes_per_node,
        "PEs (nodes times pes_per_node) =", std::int64_t{1}, std::int64_t{max_simulated_pes});
  range(wish.item_bytes, "item_bytes =", std::size_t{1}, std::size_t{largest_item});
  constexpr double max_cost = 1e12;  // 1000 seconds, so that all sums are finite
  const auto check_cost = [](double cost) {
    if (cost >= 0 && cost <= max_cost) return;
    throw argument_error("a cost of the network is " + std::to_string(cost) +
                         " nanoseconds: give 0 to 1e12");
  };
  for (const network_level& level : {network.same_node, network.other_node}) {
    for (const double cost :
         {level.latency, level.overhead, level.overhead_per_byte, level.gap, level.gap_per_byte}) {
      check_cost(cost);
    }
  }
  const core_costs& core = network.core;
  for (const double cost :
       {core.push, core.pivot, core.pull, core.byte, core.miss, core.change, network.link.latency,
        network.link.gap_per_byte, network.other_group_latency}) {
    check_cost(cost);
  }
}

forecaster::forecaster(const plan_request& wish, const simulated_network& network,
                       const conveyor_options& way)
    : wish_(wish), network_(network), traffic_(traffic_of(wish, way)) {
  for (const auto& pairs : traffic_.pairs) {
    topology_.push_back(load_of(network_, wish_.nodes, pairs));
  }
}

std::size_t forecaster::memory_bytes(const conveyor_options& options) const {
  way_cost cost = traffic_.cost;
  cost.buffers += cost.links * static_cast<std::size_t>(options.buffers_per_link);
  return cost.bytes_with(options.buffer_bytes);
}

planned_setting forecaster::with(const conveyor_options& options) const {
  planned_setting p = session_forecast(wish_, network_, options, traffic_, topology_).result();
  p.memory_bytes = memory_bytes(options);
  return p;
}

}  // namespace boxcar::detail

namespace boxcar {

const char* to_text(plan_limit limit) {
  switch (limit) {
    case plan_limit::core:
      return "core";
    case plan_limit::adapter:
      return "adapter";
    case plan_limit::links:
      return "links";
    case plan_limit::credit:
      return "credit";
    case plan_limit::ending:
      return "ending";
    case plan_limit::rounds:
      return "rounds";
  }
  return "";
}

planned_setting forecast(const plan_request& wish, const simulated_network& network,
                         const conveyor_options& options) {
  detail::check(wish, network);
  const std::string problem = detail::find_problem(options, {.item_bytes = wish.item_bytes},
                                                   wish.nodes * wish.pes_per_node);
  if (!problem.empty()) throw argument_error(problem);
  if (options.buffer_bytes == 0) {
    throw argument_error("a forecast with buffer_bytes = 0: give the size of a buffer");
  }
  const bool synchronous =
      options.kind == conveyor_kind::simple || options.kind == conveyor_kind::twohop;
  const int hops = options.kind == conveyor_kind::twohop ? 2 : options.hops;
  if (!options.way && !synchronous && hops == 0) {
    throw argument_error("a forecast with hops = 0 and no route: give `hops` or `way`");
  }
  if (!options.way && hops > 1 && options.local_group == 0) {
    throw argument_error("a forecast with local_group = 0: give the number of PEs of a group");
  }
  planned_setting p = detail::forecaster(wish, network, options).with(options);
  p.code = detail::code_of(options, "way");
  return p;
}

}  // namespace boxcar
