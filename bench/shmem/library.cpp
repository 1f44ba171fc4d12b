// What this library exports.
#include "baseline.hpp"
#include "shmem/one_sided.hpp"

extern "C" void boxcar_bench_baselines(boxcar::bench::job&, boxcar::bench::job& small,
                                       boxcar::bench::baselines& all) {
  boxcar::bench::make_one_sided(small, all);
}
