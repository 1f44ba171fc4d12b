// The exports of the library.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mpi.h>
#include <string>

#include "baseline.hpp"
#include "failed_baseline.hpp"
#include "mpi/alltoallv.hpp"
#include "mpi/collectives.hpp"
#include "mpi/communicator.hpp"
#include "mpi/isend.hpp"
#include "mpi/one_sided.hpp"
#include "mpi/send_blocks.hpp"
#include "mpi/send_receive.hpp"

namespace boxcar::bench {
namespace {

// Collective. Lets `make` append a baseline on all PEs. If `make` throws on any PE, no PE has the
// baseline, and the baseline is reported as failed. Communication of `make` must come before code
// that may throw on one PE alone, or the other PEs would be left waiting.
template <typename Make>
void make_on_all(const std::string& name, job& work, baselines& all, const Make& make) {
  const std::size_t before = all.size();
  const auto why = failure_of(make);
  int failures = why ? 1 : 0;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD),
            "MPI_Allreduce");
  if (failures == 0) return;
  all.resize(before);
  all.push_back(std::make_unique<failed_baseline>(name, why, work));
}

}  // namespace
}  // namespace boxcar::bench

extern "C" void boxcar_bench_baselines(boxcar::bench::job& work, boxcar::bench::job& small,
                                       std::uint64_t items_of_a_round,
                                       boxcar::bench::baselines& all) {
  using namespace boxcar::bench;
  if (work.as_ping_pong() != nullptr || work.as_pipeline() != nullptr) {
    return make_on_all("send", work, all, [&] { make_send_receive(work, all); });
  }
  if (work.as_collective() != nullptr) {
    return make_on_all("nonblocking", work, all, [&] { make_mpi_collectives(work, all); });
  }
  if (work.as_all_to_all() != nullptr) {
    return make_on_all("isend", work, all, [&] { make_send_blocks(work, all); });
  }
  make_on_all("alltoallv", work, all, [&] { make_alltoallv(work, items_of_a_round, all); });
  make_on_all("isend", small, all, [&] { make_isend(small, all); });
  if (const table_job* table = small.as_table()) {
    make_on_all(one_sided_name(table->kind()), small, all, [&] { make_one_sided(small, all); });
  }
}

extern "C" void boxcar_bench_library(std::string& name_and_version) {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  MPI_Get_library_version(text, &length);
  name_and_version = text;
  // MPICH goes on with its configuration.
  name_and_version = name_and_version.substr(0, name_and_version.find('\n'));
}
