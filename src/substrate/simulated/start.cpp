#include "substrate/simulated/start.hpp"

#include <cstddef>
#include <vector>

#include <boxcar/detail/hash_salt.hpp>
#include <boxcar/error.hpp>

#include "substrate/progress.hpp"
#include "substrate/simulated/simulated_substrate.hpp"

namespace boxcar::detail {
namespace {

void refuse_inside() {
  if (!progress::is_fiber()) return;
  throw contract_error(
      "simulate on a PE of a simulation, which would wait for all of the other one: call it from "
      "outside");
}

}  // namespace

simulation start_fibers(const simulate_options& options, const chosen_order* order,
                        const std::function<void(std::unique_ptr<substrate>)>& pe) {
  refuse_inside();
  const repeatable_salts salts;
  const auto on = std::make_shared<simulated_machine>(options, order);
  const auto all = std::make_shared<team>(rank_list(on->pes()), on->layout(), on->seed());
  on->run([&](int rank) { pe(std::make_unique<simulated_substrate>(on, all, rank)); });
  return on->result();
}

simulation start_programs(const simulate_options& options,
                          const std::function<void(int rank)>& enter,
                          const std::function<void(int rank, const world_source& join)>& pe) {
  refuse_inside();
  const repeatable_salts salts;
  const auto on = std::make_shared<simulated_machine>(options, nullptr, enter);
  std::vector<std::shared_ptr<team>> worlds;  // one after the other
  on->run([&](int rank) {
    std::size_t joined = 0;
    pe(rank, [&on, &worlds, &joined, rank]() -> std::unique_ptr<substrate> {
      const std::size_t next = joined++;
      if (next == worlds.size()) {
        worlds.push_back(
            std::make_shared<team>(rank_list(on->pes()), on->layout(), on->seed() + next));
      }
      return std::make_unique<simulated_substrate>(on, worlds[next], rank);
    });
  });
  return on->result();
}

}  // namespace boxcar::detail
