// Cases of any sort, each on several shapes of worlds.
#pragma once

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "support/tier_cases.hpp"
#include "support/world_shape.hpp"

namespace boxcar::test {

template <typename Case>
struct shaped {
  world_shape shape;
  Case detail;
};

// Returns each case on each shape.
template <typename Case>
std::vector<shaped<Case>> on_all_shapes(const std::vector<world_shape>& shapes,
                                        const std::vector<Case>& cases) {
  std::vector<shaped<Case>> all;
  for (const world_shape& shape : shapes) {
    for (const Case& c : cases) all.push_back({shape, c});
  }
  return all;
}

// Returns each case on each shape, or in the gate a covering array over the shape's parameters and
// the case's name.
template <typename Case>
std::vector<shaped<Case>> on_shapes(const std::vector<world_shape>& shapes,
                                    const std::vector<Case>& cases) {
  return tier_cases(on_all_shapes(shapes, cases),
                    [](const shaped<Case>& c) { return name_of(c.detail); });
}

template <typename Case>
std::string name_of(const shaped<Case>& c) {
  return name_of(c.shape) + "_" + name_of(c.detail);
}

template <typename Case>
void PrintTo(const shaped<Case>& c, std::ostream* out) {
  *out << name_of(c);
}

}  // namespace boxcar::test
