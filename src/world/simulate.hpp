// A run on a simulated machine, by time or in an order that is chosen.
#pragma once

#include <exception>
#include <functional>

#include <boxcar/simulate.hpp>

#include "substrate/simulated/chosen_order.hpp"

namespace boxcar::detail {

struct simulated_run {
  simulation was;
  std::exception_ptr failure;  // of the PE that failed first
};

// `order`: nullptr, by time. Throws as `simulate` does, but for what PEs throw.
simulated_run simulate(const simulate_options& options, const chosen_order* order,
                       const std::function<void(world&)>& function);

}  // namespace boxcar::detail
