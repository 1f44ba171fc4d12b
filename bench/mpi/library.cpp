// What this library exports.
#include <cstdint>
#include <mpi.h>
#include <string>

#include "baseline.hpp"
#include "mpi/alltoallv.hpp"
#include "mpi/isend.hpp"
#include "mpi/one_sided.hpp"

extern "C" void boxcar_bench_baselines(boxcar::bench::job& work, boxcar::bench::job& small,
                                       std::uint64_t items_of_a_round,
                                       boxcar::bench::baselines& all) {
  boxcar::bench::make_alltoallv(work, items_of_a_round, all);
  boxcar::bench::make_isend(small, all);
  boxcar::bench::make_one_sided(small, all);
}

extern "C" void boxcar_bench_library(std::string& name_and_version) {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  MPI_Get_library_version(text, &length);
  name_and_version = text;
  // MPICH goes on with how it was configured.
  name_and_version = name_and_version.substr(0, name_and_version.find('\n'));
}
