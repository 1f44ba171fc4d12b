#include "support/conveyor_setup.hpp"

#include <algorithm>
#include <ostream>
#include <span>
#include <utility>

#include "support/dice.hpp"
#include "support/tier_cases.hpp"

namespace boxcar::test {
namespace {

using enum conveyor_kind;

// Returns the size of a buffer for one item. An elastic conveyor's buffer must hold at least the
// ticket of a larger item.
std::size_t min_buffer(const conveyor_setup& setup) {
  return std::max<std::size_t>(setup.item_bytes, setup.elastic ? 64 : 1);
}

// Draws the size of a buffer: one item, a few items, or the automatic size.
std::size_t pick_buffer_bytes(dice& d, const conveyor_setup& setup) {
  const std::size_t one_item = min_buffer(setup);
  return d.pick({one_item, 3 * one_item, std::size_t{0}});
}

enum class item_sort { unaligned, words, large };

item_sort item_sort_of(const conveyor_setup& setup) {
  if (setup.item_bytes >= 1000) return item_sort::large;
  return setup.item_bytes % 8 == 0 ? item_sort::words : item_sort::unaligned;
}

enum class buffer_sort { one_item, few_items, chosen };

buffer_sort buffer_sort_of(const conveyor_setup& setup) {
  const std::size_t bytes = setup.options.buffer_bytes;
  if (bytes == 0) return buffer_sort::chosen;
  return bytes == min_buffer(setup) ? buffer_sort::one_item : buffer_sort::few_items;
}

// A world of 64 PEs has 4096 links.
bool fits(const conveyor_setup& setup) {
  constexpr std::size_t most = std::size_t{256} << 20;
  const conveyor_options& options = setup.options;
  const std::size_t buffer = options.buffer_bytes != 0
                                 ? options.buffer_bytes
                                 : std::max<std::size_t>(4 * setup.item_bytes, 2048);
  const auto pes = static_cast<std::size_t>(setup.shape.pes);
  return pes * pes * buffer * static_cast<std::size_t>(options.buffers_per_link) <= most;
}

conveyor_setup plain(const world_shape& shape, const conveyor_variant& variant) {
  return {shape, variant.name, variant.options, 8, variant.elastic};
}

conveyor_setup varied(conveyor_setup setup, dice& d, int number) {
  do {
    setup.item_bytes = draw(d, number, std::span<const std::size_t>(item_sizes));
    setup.options.buffer_bytes = pick_buffer_bytes(d, setup);
    setup.options.buffers_per_link = d.pick({1, 2, 4});
    setup.options.steady = d.chance(50);
    setup.options.dynamic_memory = d.chance(50);
  } while (!fits(setup));
  return setup;
}

std::vector<conveyor_setup> only(setup_filter filter, std::vector<conveyor_setup> setups) {
  std::erase_if(setups, [filter](const conveyor_setup& setup) { return !filter(setup); });
  return setups;
}

// Adds variants with groups other than the nodes.
void add_grouped(std::vector<conveyor_variant>& variants, const world_shape& shape) {
  for (const int group : {2, 4}) {
    if (shape.pes % group != 0 || group == shape.pes) continue;
    const std::string suffix = std::string("g").append(std::to_string(group));
    variants.push_back({"tensor2" + suffix, {.kind = tensor, .hops = 2, .local_group = group}});
    variants.push_back({"tensor3" + suffix, {.kind = tensor, .hops = 3, .local_group = group}});
    variants.push_back({"twohop" + suffix, {.kind = twohop, .local_group = group}});
  }
}

// Adds routes with a table. (Routes of one hop, of two and the tensor's are the same as with
// `hops`, which `same_result` checks.)
void add_routed(std::vector<conveyor_variant>& variants, const world_shape& shape) {
  const int pes = shape.pes;
  const auto add = [&](const char* name, const route& way, bool elastic = false) {
    variants.push_back({name, {.way = way}, elastic});
  };
  if (pes % 8 == 0) add("grid3", route::grid(pes, {pes / 4, 2, 2}));
  if (pes % 2 == 1) add("slab", route::balanced(pes, 3));
  if (pes % 4 == 0) {
    add("teams", route::teams(pes, {pes / 4, 4}));
    add("specialists", route::specialised_teams(pes, {pes / 4, 4}));
    add("elasticteams", route::teams(pes, {pes / 4, 4}), true);
  } else {
    add("specialists", route::specialised_teams(pes, {pes}));
    add("elasticteams", route::teams(pes, {pes}), true);
  }
}

}  // namespace

std::vector<conveyor_variant> conveyor_variants(const world_shape& shape) {
  std::vector<conveyor_variant> variants{
      {"automatic", {}},
      {"tensor1", {.kind = tensor, .hops = 1}},
      {"tensor2", {.kind = tensor, .hops = 2}},
      {"tensor3", {.kind = tensor, .hops = 3}},
      {"simple", {.kind = simple}},
      {"scatter", {.kind = simple, .scatter = true}},
      {"twohop", {.kind = twohop}},
      {"compressed", {.compress = true}},
      {"elastic1", {.hops = 1}, true},
      {"elastic2", {.hops = 2}, true},
      {"elastic3", {.hops = 3}, true},
  };
  add_grouped(variants, shape);
  add_routed(variants, shape);
  return variants;
}

bool advance_synchronises(const conveyor_options& options) {
  return options.kind == simple || options.kind == twohop;
}

conveyor_options for_size(int pes, conveyor_options options) {
  options.local_group = 0;
  if (options.way) options.way = route::balanced(pes, 3);
  return options;
}

conveyor_setup for_size(int pes, conveyor_setup setup) {
  setup.options = for_size(pes, setup.options);
  return setup;
}

int items_for(const conveyor_setup& setup, int most) {
  int items = most;
  if (setup.item_bytes > 100) items /= setup.item_bytes > 10000 ? 20 : 4;
  if (setup.shape.pes > 8) items /= 5;
  const std::size_t buffer = setup.options.buffer_bytes;
  if (buffer != 0 && buffer < 2 * setup.item_bytes) items /= 3;
  return items + 1;
}

std::string name_of(const conveyor_setup& setup) {
  const conveyor_options& o = setup.options;
  return name_of(setup.shape) + "_" + setup.variant + "_i" + std::to_string(setup.item_bytes) +
         "_b" + std::to_string(o.buffer_bytes) + "_x" + std::to_string(o.buffers_per_link) +
         (o.steady ? "_steady" : "") + (o.dynamic_memory ? "_dynamic" : "");
}

void PrintTo(const conveyor_setup& setup, std::ostream* out) {
  *out << name_of(setup);
}

bool any_setup(const conveyor_setup& /*setup*/) {
  return true;
}
bool is_fixed_size(const conveyor_setup& setup) {
  return !setup.elastic;
}
bool is_elastic(const conveyor_setup& setup) {
  return setup.elastic;
}

std::vector<conveyor_setup> all_plain_setups(const std::vector<world_shape>& shapes) {
  std::vector<conveyor_setup> setups;
  for (const world_shape& shape : shapes) {
    for (const conveyor_variant& variant : conveyor_variants(shape)) {
      setups.push_back(plain(shape, variant));
    }
  }
  return setups;
}

std::vector<conveyor_setup> tier_setups(std::vector<conveyor_setup> setups) {
  using setup = const conveyor_setup&;
  return tier_cases(
      std::move(setups), [](setup s) { return s.variant; }, item_sort_of,
      single_key{[](setup s) { return s.item_bytes; }}, buffer_sort_of,
      [](setup s) { return s.options.buffers_per_link; }, [](setup s) { return s.options.steady; },
      [](setup s) { return s.options.dynamic_memory; });
}

std::vector<conveyor_setup> plain_setups(const std::vector<world_shape>& shapes,
                                         setup_filter filter) {
  return tier_setups(only(filter, all_plain_setups(shapes)));
}

std::vector<conveyor_setup> steady_setups(const std::vector<world_shape>& shapes) {
  std::vector<conveyor_setup> setups = plain_setups(shapes);
  for (conveyor_setup& setup : setups) setup.options.steady = true;
  return setups;
}

std::vector<conveyor_setup> varied_setups(const std::vector<world_shape>& shapes,
                                          setup_filter filter) {
  dice d(program_seed(0));
  std::vector<conveyor_setup> setups;
  for (const conveyor_setup& plain : only(filter, all_plain_setups(shapes))) {
    for (int i = 0; i < num_draws(); ++i) setups.push_back(varied(plain, d, i));
  }
  return tier_setups(std::move(setups));
}

}  // namespace boxcar::test
