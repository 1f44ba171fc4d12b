#include "support/world_shape.hpp"

#include <cstdlib>
#include <ostream>
#include <set>
#include <utility>

#include "support/run_simulated.hpp"
#include "support/sanitizers.hpp"
#include "support/tier_cases.hpp"

namespace boxcar::test {
namespace {

struct layout {
  int pes;
  int nodes;
};

// A single node is a world on shared memory, which is tested without launchers: here it has only
// few PEs. Other shapes have PEs on 2 nodes, on 3, and each on its own.
std::vector<world_shape> on_cluster(int pes) {
  std::set<int> layouts{pes};
  for (const int nodes : {1, 2, 3}) {
    if (nodes <= pes && (nodes > 1 || pes == 2)) layouts.insert(nodes);
  }
  std::vector<world_shape> shapes;
  for (const int nodes : layouts) shapes.push_back({substrate_kind::cluster, pes, nodes});
  return shapes;
}

// A few PEs suffice for a sanitizer; each process has a copy of the tables of its shadow memory.
std::vector<world_shape> small_enough(std::vector<world_shape> shapes) {
  if (with_sanitizer) {
    std::erase_if(shapes, [](const world_shape& shape) {
      return shape.pes > (shape.substrate == substrate_kind::processes ? 4 : 8);
    });
  }
  return shapes;
}

std::vector<world_shape> on_every_substrate(const std::vector<layout>& layouts) {
  if (cluster_pes() != 0) return on_cluster(cluster_pes());
  std::vector<world_shape> shapes;
  for (const substrate_kind substrate : {substrate_kind::threads, substrate_kind::processes}) {
    for (const auto& [pes, nodes] : layouts) shapes.push_back({substrate, pes, nodes});
  }
  if (can_simulate()) {
    for (const auto& [pes, nodes] : layouts) {
      // No test of the gate runs the largest of them (world_tests.cmake).
      if (pes >= 64 && test_tier() == tier::gate) continue;
      shapes.push_back({substrate_kind::simulated, pes, nodes});
    }
  }
  return small_enough(std::move(shapes));
}

}  // namespace

int cluster_pes() {
  const char* pes = std::getenv("BOXCAR_TEST_CLUSTER");
  return pes == nullptr ? 0 : std::atoi(pes);
}

std::string name_of(const world_shape& shape) {
  constexpr const char* names[] = {"threads", "processes", "cluster", "simulated"};
  return std::string(names[static_cast<int>(shape.substrate)]) + "_p" + std::to_string(shape.pes) +
         "_n" + std::to_string(shape.nodes);
}

void PrintTo(const world_shape& shape, std::ostream* out) {
  *out << name_of(shape);
}

std::vector<world_shape> all_shapes() {
  std::vector<world_shape> shapes = on_every_substrate({{1, 1},
                                                        {2, 1},
                                                        {2, 2},
                                                        {3, 1},
                                                        {3, 2},
                                                        {4, 1},
                                                        {4, 2},
                                                        {4, 4},
                                                        {8, 1},
                                                        {8, 2},
                                                        {8, 3},
                                                        {17, 1},
                                                        {17, 5},
                                                        {64, 1},
                                                        {64, 8}});
  return cluster_pes() == 0 ? tier_cases(std::move(shapes)) : shapes;
}

std::vector<world_shape> small_shapes() {
  return on_every_substrate({{1, 1}, {2, 1}, {3, 2}, {4, 2}});
}

std::vector<world_shape> several_shapes() {
  using enum substrate_kind;
  std::vector<world_shape> shapes{{threads, 1, 1},   {threads, 2, 2},   {threads, 3, 1},
                                  {threads, 4, 2},   {threads, 8, 3},   {threads, 17, 5},
                                  {processes, 1, 1}, {processes, 2, 1}, {processes, 3, 2},
                                  {processes, 4, 1}, {processes, 8, 2}, {processes, 17, 1}};
  if (can_simulate()) {
    for (const auto& [pes, nodes] :
         {layout{1, 1}, {2, 2}, {3, 1}, {4, 2}, {8, 3}, {17, 5}, {17, 1}}) {
      shapes.push_back({simulated, pes, nodes});
    }
  }
  return or_cluster(small_enough(std::move(shapes)));
}

std::vector<world_shape> or_cluster(std::vector<world_shape> shapes) {
  return cluster_pes() == 0 ? shapes : on_cluster(cluster_pes());
}

std::vector<world_shape> with_at_least(int pes, std::vector<world_shape> shapes) {
  std::erase_if(shapes, [pes](const world_shape& shape) { return shape.pes < pes; });
  return shapes;
}

}  // namespace boxcar::test
