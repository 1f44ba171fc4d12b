#include "support/tier_cases.hpp"

#include <algorithm>
#include <string>

#include "support/sanitizers.hpp"

namespace boxcar::test {
namespace {

enum class layout_sort { one_node, even, uneven, one_pe_each };

layout_sort sort_of_layout(const world_shape& shape) {
  if (shape.nodes == 1) return layout_sort::one_node;
  if (with_sanitizer) return layout_sort::even;
  if (shape.nodes == shape.pes) return layout_sort::one_pe_each;
  return shape.pes % shape.nodes == 0 ? layout_sort::even : layout_sort::uneven;
}

// The selections of ctest, and of threads every shape.
std::string selection_of(const world_shape& shape) {
  if (shape.substrate == substrate_kind::threads) return name_of(shape);
  return name_of(world_shape{shape.substrate, shape.pes >= 64 ? 64 : 1, 1});
}

}  // namespace

std::vector<covering_parameter> shape_parameters(const std::vector<world_shape>& shapes) {
  std::vector<covering_parameter> all{
      parameter_of(shapes, [](const world_shape& shape) { return shape.substrate; }),
      parameter_of(shapes, [](const world_shape& shape) { return std::min(shape.pes, 16); }),
      parameter_of(shapes, sort_of_layout), single_parameter_of(shapes, selection_of)};
  all[1].in_pairs = !with_sanitizer;
  return all;
}

bool has_pairs(const std::vector<world_shape>& shapes) {
  return std::ranges::any_of(shapes, [](const world_shape& shape) {
    return shape.substrate != substrate_kind::cluster && shape.pes < 64;
  });
}

double cost_of(const world_shape& shape) {
  const double pes = 4 + shape.pes;
  return shape.substrate == substrate_kind::processes ? 2 * pes : pes;
}

}  // namespace boxcar::test
