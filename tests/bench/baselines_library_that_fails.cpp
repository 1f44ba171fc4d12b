// Libraries of baselines that cannot be used: one throws on PE 1, and the other exports nothing.
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "baseline.hpp"

#ifdef THROWS
namespace {

std::string rank_of_this_pe() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK"}) {
    if (const char* rank = std::getenv(name)) return rank;
  }
  return {};
}

}  // namespace

extern "C" void boxcar_bench_baselines(boxcar::bench::job&, boxcar::bench::job&, std::uint64_t,
                                       boxcar::bench::baselines&) {
  if (rank_of_this_pe() == "1") throw std::runtime_error("nothing works here");
}
#endif
