// The shapes of the worlds that the tests run on.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace boxcar::test {

// `cluster`: the job that a launcher of MPI or OpenSHMEM started this program in. `simulated`: a
// simulated machine, where support for it is built.
enum class substrate_kind { threads, processes, cluster, simulated };

struct world_shape {
  substrate_kind substrate = substrate_kind::threads;
  int pes = 1;
  int nodes = 1;  // pretended
};

// The number of PEs of the cluster job; 0: there is no job (BOXCAR_TEST_CLUSTER, see in_cluster).
int cluster_pes();

// The name of a shape within the name of a test, like "threads_p8_n2". The labels of ctest depend
// on the name: a world of 64 PEs counts as slow.
std::string name_of(const world_shape& shape);
void PrintTo(const world_shape& shape, std::ostream* out);

// These functions return in a cluster's job shapes of the job and no others; under a sanitizer, at
// most 8 threads or 4 processes.
//
// Every substrate, 1 to 64 PEs, several layouts of nodes: for properties that must hold everywhere.
// In the gate the shapes are a covering array: every shape on threads, and few on the other
// substrates.
std::vector<world_shape> all_shapes();
// Every substrate, few PEs, one node and several: for properties that hardly depend on the number
// of PEs.
std::vector<world_shape> small_shapes();
// 1 to 17 PEs, one node and several: for tests that vary many other parameters.
std::vector<world_shape> several_shapes();
// Returns `shapes`, or in a cluster's job the shapes of the job.
std::vector<world_shape> or_cluster(std::vector<world_shape> shapes);
// The shapes with at least `pes` PEs.
std::vector<world_shape> with_at_least(int pes, std::vector<world_shape> shapes);

}  // namespace boxcar::test
