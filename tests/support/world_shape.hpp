// The worlds that the tests run on.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace boxcar::test {

enum class substrate_kind { threads, processes };

struct world_shape {
  substrate_kind substrate = substrate_kind::threads;
  int pes = 1;
  int nodes = 1;  // pretended
};

// For the name of a test, like "threads_p8_n2". The labels of ctest are told from it: a world of 64
// PEs counts as slow.
std::string name_of(const world_shape& shape);
void PrintTo(const world_shape& shape, std::ostream* out);

// Every substrate, 1 to 64 PEs, several layouts of nodes: for what must hold everywhere.
std::vector<world_shape> all_shapes();
// Every substrate, few PEs, one node and several: for what hardly depends on the number of PEs.
std::vector<world_shape> small_shapes();
// Those of `shapes` with at least so many PEs.
std::vector<world_shape> with_at_least(int pes, std::vector<world_shape> shapes);

}  // namespace boxcar::test
