// The worlds that the tests run on.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace boxcar::test {

// `cluster`: the job that a launcher of MPI or OpenSHMEM started this program in. `simulated`:
// where that is built.
enum class substrate_kind { threads, processes, cluster, simulated };

struct world_shape {
  substrate_kind substrate = substrate_kind::threads;
  int pes = 1;
  int nodes = 1;  // pretended
};

// The number of PEs of that job; 0: there is none (BOXCAR_TEST_CLUSTER, see in_cluster).
int cluster_pes();

// For the name of a test, like "threads_p8_n2". The labels of ctest are told from it: a world of 64
// PEs counts as slow.
std::string name_of(const world_shape& shape);
void PrintTo(const world_shape& shape, std::ostream* out);

// In a cluster's job these give shapes of that job and no others; under a sanitizer, at most 8
// threads or 4 processes.
//
// Every substrate, 1 to 64 PEs, several layouts of nodes: for what must hold everywhere. In the
// gate these are a covering array: every shape on threads, and few on the other substrates.
std::vector<world_shape> all_shapes();
// Every substrate, few PEs, one node and several: for what hardly depends on the number of PEs.
std::vector<world_shape> small_shapes();
// 1 to 17 PEs, one node and several: for tests that vary much else.
std::vector<world_shape> several_shapes();
// For a list of one's own: those of a cluster's job in its place, if this is one.
std::vector<world_shape> or_cluster(std::vector<world_shape> shapes);
// Those of `shapes` with at least so many PEs.
std::vector<world_shape> with_at_least(int pes, std::vector<world_shape> shapes);

}  // namespace boxcar::test
