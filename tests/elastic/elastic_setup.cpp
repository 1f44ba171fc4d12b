#include "elastic/elastic_setup.hpp"

#include <ostream>
#include <utility>

#include "support/dice.hpp"
#include "support/tier_cases.hpp"

namespace boxcar::test {
namespace {

// A divisor of the number of PEs, or 0: the library's choice.
int pick_group(const world_shape& shape, dice& d) {
  std::vector<int> groups{0};
  for (int group = 1; group <= shape.pes; ++group) {
    if (shape.pes % group == 0) groups.push_back(group);
  }
  return groups[d.next() % groups.size()];
}

enum class group_sort { chosen, one_pe, some_pes, all_pes };

group_sort group_sort_of(const elastic_setup& setup) {
  const int group = setup.options.local_group;
  if (group == 0) return group_sort::chosen;
  if (group == 1) return group_sort::one_pe;
  return group == setup.shape.pes ? group_sort::all_pes : group_sort::some_pes;
}

std::vector<elastic_setup> tier_setups(std::vector<elastic_setup> setups) {
  using setup = const elastic_setup&;
  return tier_cases(
      std::move(setups), [](setup s) { return s.options.hops; }, group_sort_of,
      [](setup s) { return s.options.buffer_bytes; },
      [](setup s) { return s.options.buffers_per_link; }, [](setup s) { return s.options.steady; },
      [](setup s) { return s.options.dynamic_memory; });
}

}  // namespace

std::string name_of(const elastic_setup& setup) {
  const conveyor_options& o = setup.options;
  return name_of(setup.shape) + "_h" + std::to_string(o.hops) +
         (o.local_group != 0 ? "_g" + std::to_string(o.local_group) : "") + "_b" +
         std::to_string(o.buffer_bytes) + "_x" + std::to_string(o.buffers_per_link) +
         (o.steady ? "_steady" : "") + (o.dynamic_memory ? "_dynamic" : "");
}

void PrintTo(const elastic_setup& setup, std::ostream* out) {
  *out << name_of(setup);
}

std::vector<elastic_setup> varied_elastic_setups(const std::vector<world_shape>& shapes) {
  dice d(1);
  std::vector<elastic_setup> setups;
  for (const world_shape& shape : shapes) {
    for (const int hops : {1, 2, 3}) {
      for (const std::size_t buffer_bytes :
           {min_elastic_buffer, std::size_t{150}, std::size_t{0}}) {
        for (int i = 0; i < num_draws(); ++i) {
          setups.push_back({shape,
                            {.hops = hops,
                             .local_group = hops > 1 ? pick_group(shape, d) : 0,
                             .buffer_bytes = buffer_bytes,
                             .buffers_per_link = d.pick({1, 2, 4}),
                             .steady = d.chance(50),
                             .dynamic_memory = d.chance(50)}});
        }
      }
    }
  }
  return tier_setups(std::move(setups));
}

std::vector<elastic_setup> plain_elastic_setups(const std::vector<world_shape>& shapes) {
  std::vector<elastic_setup> setups;
  for (const world_shape& shape : shapes) {
    for (const int hops : {1, 2, 3}) {
      setups.push_back({shape, {.hops = hops, .buffer_bytes = 256}});
    }
  }
  return tier_setups(std::move(setups));
}

}  // namespace boxcar::test
