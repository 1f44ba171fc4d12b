#include "biconveyor/biconveyor_setup.hpp"

#include <algorithm>
#include <ostream>

#include "support/dice.hpp"

namespace boxcar::test {

std::string name_of(const biconveyor_setup& setup) {
  const conveyor_options& o = setup.options;
  return name_of(setup.shape) + "_" + setup.variant + "_q" + std::to_string(setup.sizes.query) +
         "_r" + std::to_string(setup.sizes.reply) + "_b" + std::to_string(o.buffer_bytes) + "_x" +
         std::to_string(o.buffers_per_link) + (o.dynamic_memory ? "_dynamic" : "");
}

void PrintTo(const biconveyor_setup& setup, std::ostream* out) {
  *out << name_of(setup);
}

std::vector<biconveyor_setup> plain_biconveyor_setups(const std::vector<world_shape>& shapes) {
  std::vector<biconveyor_setup> setups;
  for (const world_shape& shape : shapes) {
    for (const conveyor_variant& variant : conveyor_variants(shape)) {
      if (!variant.elastic) setups.push_back({shape, variant.name, variant.options, {}});
    }
  }
  return setups;
}

std::vector<biconveyor_setup> tight_biconveyor_setups(const std::vector<world_shape>& shapes) {
  std::vector<biconveyor_setup> setups = plain_biconveyor_setups(shapes);
  for (biconveyor_setup& setup : setups) {
    setup.options.buffer_bytes = setup.sizes.query;
    setup.options.buffers_per_link = 1;
  }
  return setups;
}

std::vector<biconveyor_setup> varied_biconveyor_setups(const std::vector<world_shape>& shapes) {
  dice d(1);
  std::vector<biconveyor_setup> setups = plain_biconveyor_setups(shapes);
  for (biconveyor_setup& setup : setups) {
    setup.sizes = d.pick(all_question_sizes());
    const std::size_t larger = std::max(setup.sizes.query, setup.sizes.reply);
    setup.options.buffer_bytes = d.pick({larger, 3 * larger, std::size_t{0}});
    setup.options.buffers_per_link = d.pick({1, 2, 4});
    setup.options.dynamic_memory = d.chance(50);
  }
  return setups;
}

std::vector<biconveyor_setup> asynchronous_only(std::vector<biconveyor_setup> setups) {
  std::erase_if(setups, [](const biconveyor_setup& setup) {
    return advance_synchronises(setup.options) || setup.options.scatter;
  });
  return setups;
}

std::vector<world_shape> crowded_shapes() {
  return or_cluster({{substrate_kind::threads, 3, 2}, {substrate_kind::processes, 4, 1}});
}

}  // namespace boxcar::test
