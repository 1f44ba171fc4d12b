// A run on a simulated machine, ordered by time or by a chooser.
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

// Runs `function` on the simulated machine. `order`: nullptr means by time. Throws like `simulate`,
// except for exceptions of PEs.
simulated_run simulate(const simulate_options& options, const chosen_order* order,
                       const std::function<void(world&)>& function);

}  // namespace boxcar::detail
