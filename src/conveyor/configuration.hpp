// The complete configuration of a conveyor: options that the caller left open are chosen, equally
// on all PEs.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <boxcar/conveyor_options.hpp>
#include <boxcar/route.hpp>

#include "conveyor/option_check.hpp"
#include "conveyor/path_choice.hpp"
#include "route/route_function.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

struct configuration {
  bool synchronous = false;
  std::optional<route> way;  // as requested; then `hops` and `local_group` have no meaning
  int hops = 1;
  int local_group = 1;
  std::size_t buffer_bytes = 0;
  int buffers_per_link = 2;
  bool steady = false;
  bool dynamic_memory = false;
  bool scatter = false;
  bool alert = false;
  bool compress = false;
  allocator* memory = nullptr;
  bool is_tuned = false;  // found by measurements
  // The reasons for the configuration.
  way_cost cost;
  memory_bound bound;
  buffer_wish wish;
  fitting buffers;

  [[nodiscard]] tagged_route path(int pes) const {
    return way ? way->function().tagged() : path_in_groups(hops, pes, local_group);
  }
};

// Collective. Chooses open options, and checks that the options can work and are equal on all PEs.
// Throws the same argument_error on all PEs otherwise.
configuration configure(substrate& world, const conveyor_options& options, const item_format& what);

// Returns the configuration with the number of hops and PEs per group, and with the buffers that
// would be chosen within the bounds of `usual`.
configuration over_hops(const node_layout& nodes, configuration usual, int hops, int group);

// Returns the reasons for the configuration, in a few lines.
std::string explain(const substrate& world, const conveyor_options& options,
                    const configuration& chosen);

}  // namespace boxcar::detail
