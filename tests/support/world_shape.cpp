#include "support/world_shape.hpp"

#include <ostream>

namespace boxcar::test {
namespace {

struct layout {
  int pes;
  int nodes;
};

std::vector<world_shape> on_every_substrate(const std::vector<layout>& layouts) {
  std::vector<world_shape> shapes;
  for (const substrate_kind substrate : {substrate_kind::threads, substrate_kind::processes}) {
    for (const auto& [pes, nodes] : layouts) shapes.push_back({substrate, pes, nodes});
  }
  return shapes;
}

}  // namespace

std::string name_of(const world_shape& shape) {
  return std::string(shape.substrate == substrate_kind::threads ? "threads" : "processes") + "_p" +
         std::to_string(shape.pes) + "_n" + std::to_string(shape.nodes);
}

void PrintTo(const world_shape& shape, std::ostream* out) {
  *out << name_of(shape);
}

std::vector<world_shape> all_shapes() {
  return on_every_substrate({{1, 1},
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
}

std::vector<world_shape> small_shapes() {
  return on_every_substrate({{1, 1}, {2, 1}, {3, 2}, {4, 2}});
}

std::vector<world_shape> with_at_least(int pes, std::vector<world_shape> shapes) {
  std::erase_if(shapes, [pes](const world_shape& shape) { return shape.pes < pes; });
  return shapes;
}

}  // namespace boxcar::test
