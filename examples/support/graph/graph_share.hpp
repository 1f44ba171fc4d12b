// The vertices of a PE with the edges that begin at them, in compressed rows (CSR).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <boxcar/world.hpp>

#include "support/graph/half_edges.hpp"

namespace examples::graph {

class graph_share {
 public:
  // Collective. Kernel 1 of Graph500. Multiple edges and self loops stay.
  graph_share(const boxcar::world& w, const cyclic_distribution& d, std::span<const edge> edges,
              direction ways);

  [[nodiscard]] const cyclic_distribution& distribution() const { return distribution_; }
  // Return where the edges of a vertex of the PE lead to, and the weights of these edges.
  [[nodiscard]] std::span<const address> targets(std::uint32_t place) const {
    return row(targets_, place);
  }
  [[nodiscard]] std::span<const float> weights(std::uint32_t place) const {
    return row(weights_, place);
  }
  [[nodiscard]] bool is_self_loop(std::uint32_t place, address to) const {
    return to == address{place, distribution_.rank()};
  }
  // Returns whether an edge leads from a vertex of the PE to another vertex.
  [[nodiscard]] bool has_neighbours(std::uint32_t place) const {
    return !std::ranges::all_of(targets(place),
                                [&](address to) { return is_self_loop(place, to); });
  }

 private:
  template <typename T>
  [[nodiscard]] std::span<const T> row(const std::vector<T>& values, std::uint32_t place) const {
    return std::span(values).subspan(begins_[place], begins_[place + 1] - begins_[place]);
  }

  cyclic_distribution distribution_;
  std::vector<std::size_t> begins_;  // of the row of each vertex, and the end
  std::vector<address> targets_;
  std::vector<float> weights_;
};

}  // namespace examples::graph
