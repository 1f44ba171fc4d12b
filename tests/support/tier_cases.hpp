// Chooses the cases of a suite for the tier of the run.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "support/covering.hpp"
#include "support/dice.hpp"
#include "support/tier.hpp"
#include "support/world_shape.hpp"

namespace boxcar::test {

// Returns the parameters of worlds in a covering array. The substrate, the number of PEs and the
// sort of layout are in pairs; 16 PEs and more are one value. Every shape on threads, as the
// cheapest substrate, occurs at least once, and so do 64 PEs on each substrate: tests are selected
// by the names of the shapes. With a sanitizer the number of PEs is not in pairs, and a layout is
// one node or several.
std::vector<covering_parameter> shape_parameters(const std::vector<world_shape>& shapes);
// Returns whether cases on the shapes have parameters in pairs. In a cluster's job, and where all
// worlds have 64 PEs, each value has to occur only once: threads and smaller worlds have the pairs.
bool has_pairs(const std::vector<world_shape>& shapes);
// Returns the approximate duration of a case on the shape, relative to other shapes.
double cost_of(const world_shape& shape);

// Returns the shape of a case. A case type without a member `shape` has a function of its own.
inline const world_shape& shape_of(const world_shape& shape) {
  return shape;
}
template <typename Case>
  requires requires(const Case& c) { c.shape; }
const world_shape& shape_of(const Case& c) {
  return c.shape;
}

// A key whose values each have to occur only once, not in pairs.
template <typename Function>
struct single_key {
  Function function;
};
template <typename Function>
single_key(Function) -> single_key<Function>;  // (Clang 16 deduces nothing of aggregates.)

template <typename Case, typename Key>
covering_parameter key_parameter(const std::vector<Case>& cases, const Key& key) {
  return parameter_of(cases, key);
}
template <typename Case, typename Function>
covering_parameter key_parameter(const std::vector<Case>& cases, const single_key<Function>& key) {
  return single_parameter_of(cases, key.function);
}

// Returns the covering array of a list of cases with shapes. The keys are further parameters:
// functions of the case.
template <typename Case, typename... Keys>
std::vector<Case> covering_cases(const std::vector<Case>& all, const Keys&... keys) {
  std::vector<world_shape> shapes;
  std::vector<double> costs;
  for (const Case& c : all) {
    shapes.push_back(shape_of(c));
    costs.push_back(cost_of(shapes.back()));
  }
  std::vector<covering_parameter> parameters = shape_parameters(shapes);
  (parameters.push_back(key_parameter(all, keys)), ...);
  if (!has_pairs(shapes)) {
    for (covering_parameter& p : parameters) p.in_pairs = false;
  }
  return only_cases(all, choose_covering(parameters, costs));
}

// Returns the number of combinations of options that a generator draws at random for each shape and
// variant: in the gate several, of which the covering array has few.
inline int num_draws() {
  return test_tier() == tier::gate ? 14 : 1;
}
// Returns the value of an option with many values in draw number `number`: in the gate one value
// after the other, so that each value is drawn.
template <typename T>
const T& draw(dice& d, int number, std::span<const T> values) {
  if (test_tier() != tier::gate) return d.pick(values);
  return values[static_cast<std::size_t>(number) % values.size()];
}

// Returns all cases of a product, or in the gate the covering array of the product.
template <typename Case, typename... Keys>
std::vector<Case> tier_cases(std::vector<Case> all, const Keys&... keys) {
  return test_tier() == tier::gate ? covering_cases(all, keys...) : std::move(all);
}

}  // namespace boxcar::test
