// What this library exports.
#include "baseline.hpp"
#include "mpi/alltoallv.hpp"
#include "mpi/isend.hpp"
#include "mpi/one_sided.hpp"

extern "C" void boxcar_bench_baselines(boxcar::bench::job& work, boxcar::bench::job& small,
                                       boxcar::bench::baselines& all) {
  boxcar::bench::make_alltoallv(work, all);
  boxcar::bench::make_isend(small, all);
  boxcar::bench::make_one_sided(small, all);
}
