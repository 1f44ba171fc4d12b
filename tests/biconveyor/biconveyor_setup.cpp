#include "biconveyor/biconveyor_setup.hpp"

#include <algorithm>
#include <ostream>
#include <span>
#include <utility>

#include "support/dice.hpp"
#include "support/tier_cases.hpp"

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

bool any_setup(const biconveyor_setup& /*setup*/) {
  return true;
}

bool is_asynchronous(const biconveyor_setup& setup) {
  return !advance_synchronises(setup.options) && !setup.options.scatter;
}

namespace {

std::vector<biconveyor_setup> all_plain(const std::vector<world_shape>& shapes) {
  std::vector<biconveyor_setup> setups;
  for (const world_shape& shape : shapes) {
    for (const conveyor_variant& variant : conveyor_variants(shape)) {
      if (!variant.elastic) setups.push_back({shape, variant.name, variant.options, {}});
    }
  }
  return setups;
}

enum class buffer_sort { one_item, few_items, chosen };

buffer_sort buffer_sort_of(const biconveyor_setup& setup) {
  const std::size_t bytes = setup.options.buffer_bytes;
  if (bytes == 0) return buffer_sort::chosen;
  const std::size_t larger = std::max(setup.sizes.query, setup.sizes.reply);
  return bytes <= larger ? buffer_sort::one_item : buffer_sort::few_items;
}

std::vector<biconveyor_setup> tier_setups(std::vector<biconveyor_setup> setups) {
  using setup = const biconveyor_setup&;
  return tier_cases(
      std::move(setups), [](setup s) { return s.variant; },
      [](setup s) { return std::pair(s.sizes.query<s.sizes.reply, s.sizes.query> s.sizes.reply); },
      single_key{[](setup s) { return std::pair(s.sizes.query, s.sizes.reply); }}, buffer_sort_of,
      [](setup s) { return s.options.buffers_per_link; },
      [](setup s) { return s.options.dynamic_memory; });
}

}  // namespace

std::vector<biconveyor_setup> plain_biconveyor_setups(const std::vector<world_shape>& shapes,
                                                      biconveyor_filter filter) {
  std::vector<biconveyor_setup> setups = all_plain(shapes);
  std::erase_if(setups, [filter](const biconveyor_setup& setup) { return !filter(setup); });
  return tier_setups(std::move(setups));
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
  std::vector<biconveyor_setup> setups;
  for (biconveyor_setup setup : all_plain(shapes)) {
    for (int i = 0; i < num_draws(); ++i) {
      setup.sizes = draw(d, i, std::span(all_question_sizes()));
      const std::size_t larger = std::max(setup.sizes.query, setup.sizes.reply);
      setup.options.buffer_bytes = d.pick({larger, 3 * larger, std::size_t{0}});
      setup.options.buffers_per_link = d.pick({1, 2, 4});
      setup.options.dynamic_memory = d.chance(50);
      setups.push_back(setup);
    }
  }
  return tier_setups(std::move(setups));
}

std::vector<world_shape> crowded_shapes() {
  return or_cluster({{substrate_kind::threads, 3, 2}, {substrate_kind::processes, 4, 1}});
}

}  // namespace boxcar::test
