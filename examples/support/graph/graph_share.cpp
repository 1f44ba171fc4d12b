#include "support/graph/graph_share.hpp"

#include <numeric>

namespace examples::graph {

graph_share::graph_share(const boxcar::world& w, const cyclic_distribution& d,
                         std::span<const edge> edges, direction ways)
    : distribution_(d), begins_(std::size_t{d.count()} + 1) {
  const std::vector<half_edge> unsorted = deal_out(w, d, edges, ways);
  targets_.resize(unsorted.size());
  weights_.resize(unsorted.size());
  for (const half_edge& e : unsorted) ++begins_[e.from];
  std::inclusive_scan(begins_.begin(), begins_.end(), begins_.begin());
  // Each edge takes the last free entry of its row: in the end, rows begin where they should.
  for (const half_edge& e : unsorted) {
    const std::size_t entry = --begins_[e.from];
    targets_[entry] = e.to;
    weights_[entry] = e.weight;
  }
}

}  // namespace examples::graph
