#include "substrate/simulated/start.hpp"

#include <boxcar/error.hpp>

#include "substrate/progress.hpp"
#include "substrate/simulated/simulated_substrate.hpp"

namespace boxcar::detail {

simulation start_fibers(const simulate_options& options, const chosen_order* order,
                        const std::function<void(std::unique_ptr<substrate>)>& pe) {
  if (progress::is_fiber()) {
    throw contract_error(
        "simulate on a PE of a simulation, which would wait for all of the other one: call it from "
        "outside");
  }
  const auto on = std::make_shared<simulated_machine>(options, order);
  const auto all = std::make_shared<team>(rank_list(on->pes()), on->layout(), on->seed());
  on->run([&](int rank) { pe(std::make_unique<simulated_substrate>(on, all, rank)); });
  return on->result();
}

}  // namespace boxcar::detail
