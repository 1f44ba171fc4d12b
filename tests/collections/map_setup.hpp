// The setups of distributed maps for the tests: worlds, and the options of messages.
#pragma once

#include <algorithm>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/distributed_map.hpp>

#include "support/run_simulated.hpp"
#include "support/world_shape.hpp"

namespace boxcar::test {

struct map_setup {
  world_shape shape;
  termination_kind ending = termination_kind::quiescence;
  std::size_t buffer_bytes = 0;
  bool has_grid = false;  // a route of two hops

  [[nodiscard]] map_options options() const {
    map_options o;
    o.messages.buffer_bytes = buffer_bytes;
    if (has_grid) o.messages.way = route::balanced(shape.pes, 2);
    return o;
  }
  // The termination of a session in which every PE is one producer.
  [[nodiscard]] termination one_producer_each() const {
    if (ending == termination_kind::counting) return counting(shape.pes);
    return ending == termination_kind::staged ? staged(1) : quiescence();
  }
  template <typename Map>
  void finish(Map& map) const {
    if (ending != termination_kind::quiescence) map.done();
    map.finish();
  }
};

inline std::string name_of(const map_setup& s) {
  constexpr const char* endings[] = {"quiescence", "counting", "staged"};
  return name_of(s.shape) + "_" + endings[static_cast<int>(s.ending)] + "_b" +
         std::to_string(s.buffer_bytes) + (s.has_grid ? "_grid" : "");
}
inline void PrintTo(const map_setup& setup, std::ostream* out) {
  *out << name_of(setup);
}

// 1 to 17 PEs on every substrate; terminations, buffers and routes alternate.
inline std::vector<map_setup> map_setups() {
  constexpr auto threads = substrate_kind::threads;
  constexpr auto processes = substrate_kind::processes;
  std::vector<world_shape> shapes{{threads, 1, 1},   {threads, 2, 1},   {threads, 3, 2},
                                  {threads, 4, 4},   {threads, 8, 3},   {threads, 17, 5},
                                  {processes, 2, 1}, {processes, 4, 2}, {processes, 8, 1}};
  if (can_simulate()) {
    for (const auto& [pes, nodes] : {std::pair{2, 2}, {4, 2}, {17, 5}}) {
      shapes.push_back({substrate_kind::simulated, pes, nodes});
    }
  }
  constexpr std::size_t buffers[] = {0, 200, 64};
  std::vector<map_setup> all;
  for (const world_shape& shape : or_cluster(std::move(shapes))) {
    for (std::size_t i = 0; i != 3; ++i) {
      const std::size_t n = all.size();
      all.push_back({shape, static_cast<termination_kind>((n + n / 3) % 3), buffers[n % 3],
                     (n + n / 2) % 2 == 1});
    }
  }
  return all;
}

}  // namespace boxcar::test
