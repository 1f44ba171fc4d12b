// A random communication graph, with the input of each PE for its neighbours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <boxcar/collective.hpp>

#include "support/dice.hpp"

namespace boxcar::test {

// The graph is the same on all PEs with the same dice.
class neighbor_graph {
 public:
  neighbor_graph(dice& d, int pes) {
    const int edges = d.below(3 * pes + 1);
    for (int i = 0; i < edges; ++i) {
      edges_.push_back({.from = d.below(pes),
                        .to = d.below(pes),
                        .elements = d.chance(10) ? 0 : static_cast<std::size_t>(1 + d.below(300))});
    }
  }

  [[nodiscard]] std::vector<neighbor> given_by(int pe) const {
    std::vector<neighbor> all;
    for (const edge& e : edges_) {
      if (e.from == pe) all.push_back({e.to, e.elements});
    }
    return all;
  }
  [[nodiscard]] std::vector<neighbor> taken_by(int pe) const {
    std::vector<neighbor> all;
    for (const edge& e : edges_) {
      if (e.to == pe) all.push_back({e.from, e.elements});
    }
    return all;
  }
  // The input in a run, where each element is a number of its own.
  [[nodiscard]] std::vector<std::int64_t> gift_of(int pe, std::int64_t run) const {
    return values(run, [pe](const edge& e) { return e.from == pe; });
  }
  [[nodiscard]] std::vector<std::int64_t> expected_by(int pe, std::int64_t run) const {
    return values(run, [pe](const edge& e) { return e.to == pe; });
  }

 private:
  struct edge {
    int from;
    int to;
    std::size_t elements;
  };

  template <typename Choice>
  [[nodiscard]] std::vector<std::int64_t> values(std::int64_t run, const Choice& is_wanted) const {
    std::vector<std::int64_t> all;
    std::int64_t next = run * 1'000'000;
    for (const edge& e : edges_) {
      for (std::size_t i = 0; i < e.elements; ++i, ++next) {
        if (is_wanted(e)) all.push_back(next);
      }
    }
    return all;
  }

  std::vector<edge> edges_;
};

}  // namespace boxcar::test
