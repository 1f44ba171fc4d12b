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
// those of the case: the keys are functions of the case, and without keys its name is the parameter.
template <typename Case, typename... Keys>
std::vector<shaped<Case>> on_shapes(const std::vector<world_shape>& shapes,
                                    const std::vector<Case>& cases, const Keys&... keys) {
  auto all = on_all_shapes(shapes, cases);
  if constexpr (sizeof...(Keys) == 0) {
    return tier_cases(std::move(all), [](const auto& c) { return name_of(c.detail); });
  } else {
    return tier_cases(std::move(all), [&keys](const auto& c) { return keys(c.detail); }...);
  }
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
