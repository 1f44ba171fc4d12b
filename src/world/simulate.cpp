#include <exception>
#include <memory>
#include <utility>

#include <boxcar/simulate.hpp>

#include "substrate/simulated/start.hpp"
#include "world/exit_guard.hpp"
#include "world/run_pe.hpp"

namespace boxcar {

simulation simulate(const simulate_options& options, const std::function<void(world&)>& function) {
  const exit_guard exits;
  const detail::pe_function without_status = [&function](world& w) {
    function(w);
    return 0;
  };
  detail::outcome_of_all all;
  const simulation was =
      detail::start_fibers(options, [&](std::unique_ptr<detail::substrate> substrate) {
        const int rank = substrate->rank();
        all.add(rank, detail::run_pe(std::move(substrate), without_status));
      });
  const detail::outcome result = std::move(all).take();
  if (result.cause != nullptr) std::rethrow_exception(result.cause);
  return was;
}

}  // namespace boxcar
