#include "world/simulate_programs.hpp"

#include "substrate/simulated/start.hpp"
#include "world/hosted_pe.hpp"

namespace boxcar::detail {

simulated_end simulate_programs(const simulate_options& options, const simulated_programs& all) {
  simulated_end end;
  int rank_of_status = options.pes;
  const auto run_program = [&](int rank, const world_source& join) {
    const hosted_pe here(rank, join);
    const int status = all.main(rank);
    if (status == 0 || rank > rank_of_status) return;
    rank_of_status = rank;
    end.status = status;
  };
  end.was = start_programs(options, all.enter, run_program);
  return end;
}

}  // namespace boxcar::detail
