// A conveyor's options with everything chosen that was left open, the same on all PEs.
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
  std::optional<route> way;  // as asked for; then the next two say nothing
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
  bool is_tuned = false;  // found by measuring
  // Why they are as they are.
  way_cost cost;
  memory_bound bound;
  buffer_wish wish;
  fitting buffers;

  [[nodiscard]] tagged_route path(int pes) const {
    return way ? way->function().tagged() : path_in_groups(hops, pes, local_group);
  }
};

// Collective. Chooses what is open and checks that it can work and that all PEs ask for the same;
// otherwise throws the same argument_error on all PEs.
configuration configure(substrate& world, const conveyor_options& options, const freight& what);

// The same conveyor over so many hops, in groups of so many PEs, with the buffers that it would
// have if that were chosen within these bounds.
configuration over_hops(const node_layout& nodes, configuration usual, int hops, int group);

// Why the configuration is as it is, in a few lines.
std::string explain(const substrate& world, const conveyor_options& options,
                    const configuration& chosen);

}  // namespace boxcar::detail
