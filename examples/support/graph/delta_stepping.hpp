// Shortest paths from a vertex of a graph that is distributed over the PEs, by delta-stepping.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <boxcar/stream.hpp>
#include <boxcar/world.hpp>

#include "support/graph/graph_share.hpp"
#include "support/graph/search_tree.hpp"

namespace examples::graph {

// Kernel 3 of Graph500. Bucket i has the vertices at distances from i delta to (i + 1) delta.
// Bucket after bucket, light edges (weights below delta) are relaxed until the bucket is empty, and
// then the heavy edges of all vertices that were in the bucket. Each relaxation of edges is a
// session of a stream. Source: Meyer and Sanders, Delta-stepping: a parallelizable shortest path
// algorithm, Journal of Algorithms 49, 2003, section 2.
class delta_stepping {
 public:
  // Collective. Keeps references to both. Precondition: weights are at least 0 and below 1.
  delta_stepping(boxcar::world& w, const graph_share& g);
  delta_stepping(const delta_stepping&) = delete;
  delta_stepping& operator=(const delta_stepping&) = delete;

  // Collective. Returns the vertices that can be reached from the root, with sums of weights of
  // type float, each of which adds the weight of the last edge to that of the path before.
  const search_tree& run(vertex root);

 private:
  struct relaxation {
    std::uint32_t place;
    float distance;
    address from;
  };
  using places = std::vector<std::uint32_t>;
  enum class kind : bool { light, heavy };

  // A power of two, so that bounds of buckets are exact. An edge leads at most 1 / delta + 1
  // buckets further: as many buckets are in use at a time.
  static constexpr std::size_t buckets_each = 8;
  static constexpr float delta = 1.0F / buckets_each;
  static constexpr std::size_t buckets = 2 * buckets_each;

  [[nodiscard]] static std::size_t bucket_of(float distance) {
    return static_cast<std::size_t>(distance * buckets_each);
  }
  places& bucket(std::size_t number) { return buckets_[number % buckets]; }
  std::size_t next_bucket(std::size_t from);
  places take_bucket(std::size_t number);
  void arrive(const relaxation& r);
  void relax(const places& from, kind edges);

  boxcar::world& world_;
  const graph_share& graph_;
  search_tree tree_;
  std::array<places, buckets> buckets_;
  places settled_;                 // the vertices that have been in the bucket
  std::vector<float> relaxed_at_;  // the distance of each vertex when its light edges were relaxed
  boxcar::stream<relaxation> relaxations_;
};

}  // namespace examples::graph
