#include "world/simulate.hpp"

#include <memory>
#include <utility>

#include "substrate/simulated/start.hpp"
#include "world/exit_guard.hpp"
#include "world/run_pe.hpp"

namespace boxcar {

detail::simulated_run detail::simulate(const simulate_options& options, const chosen_order* order,
                                       const std::function<void(world&)>& function) {
  const exit_guard exits;
  const pe_function without_status = [&function](world& w) {
    function(w);
    return 0;
  };
  outcome_of_all all;
  const simulation was =
      start_fibers(options, order, [&](std::unique_ptr<detail::substrate> substrate) {
        const int rank = substrate->rank();
        all.add(rank, run_pe(std::move(substrate), without_status));
      });
  return {was, std::move(all).take().cause};
}

simulation simulate(const simulate_options& options, const std::function<void(world&)>& function) {
  const detail::simulated_run run = detail::simulate(options, nullptr, function);
  if (run.failure != nullptr) std::rethrow_exception(run.failure);
  return run.was;
}

}  // namespace boxcar
