// Tests of the distributed graph, of breadth-first search and of delta-stepping: results are those
// of a serial program, and the validation accepts them.
#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <set>
#include <tuple>
#include <vector>

#include <boxcar/run.hpp>

#include "examples/serial_search.hpp"
#include "support/graph/breadth_first_search.hpp"
#include "support/graph/delta_stepping.hpp"
#include "support/graph/kronecker_graph.hpp"
#include "support/graph/validation.hpp"

namespace examples::graph::test::graph_search_test {
namespace {

// Returns the edges that a PE gives.
std::vector<edge> share_of(const boxcar::world& w, const std::vector<edge>& all) {
  std::vector<edge> mine;
  const auto pes = static_cast<std::size_t>(w.size());
  for (auto i = static_cast<std::size_t>(w.rank()); i < all.size(); i += pes) {
    mine.push_back(all[i]);
  }
  return mine;
}

void expect_distances(const cyclic_distribution& d, const search_tree& tree,
                      const std::vector<float>& right) {
  for (std::uint32_t place = 0; place < d.count(); ++place) {
    const vertex v = d.vertex_at({place, d.rank()});
    ASSERT_EQ(tree.distance[place], right[v]) << "vertex " << v;
    ASSERT_EQ(tree.has(place), right[v] != unreached) << "vertex " << v;
  }
}

// Returns the number of edges between vertices that are reached.
std::uint64_t edges_between(const std::vector<edge>& edges, const std::vector<float>& distances) {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(edges, [&](const edge& e) { return distances[e.from] != unreached; }));
}

// Searches from several roots by both kernels, on several numbers of PEs.
void expect_right_searches(const std::vector<edge>& edges, vertex vertices,
                           const std::vector<vertex>& roots) {
  for (const int pes : {1, 3, 7}) {
    boxcar::run(pes, [&](boxcar::world& w) {
      const cyclic_distribution d(w, vertices);
      const std::vector<edge> mine = share_of(w, edges);
      const graph_share g(w, d, mine, direction::both_ways);
      validation v(w, d, mine);
      breadth_first_search levels(w, g);
      delta_stepping paths(w, g);
      for (const vertex root : roots) {
        const auto right_levels = serial_distances(edges, vertices, root, true);
        const search_tree& by_levels = levels.run(root);
        expect_distances(d, by_levels, right_levels);
        const verdict of_levels = v.validate_levels(by_levels, root);
        EXPECT_TRUE(of_levels.is_valid()) << "root " << root;
        EXPECT_EQ(of_levels.edges, edges_between(edges, right_levels));
        EXPECT_EQ(traversed_edges(w, g, by_levels), of_levels.edges);

        const search_tree& by_paths = paths.run(root);
        expect_distances(d, by_paths, serial_distances(edges, vertices, root, false));
        const verdict of_paths = v.validate_paths(by_paths, root);
        EXPECT_TRUE(of_paths.is_valid()) << "root " << root;
        EXPECT_EQ(of_paths.edges, of_levels.edges);
      }
    });
  }
}

TEST(graph_share, has_every_edge_at_both_vertices_and_self_loops_once) {
  const std::vector<edge> edges = {{0, 1, 0.5F}, {1, 2, 0.25F}, {0, 1, 0.125F}, {2, 2, 0}};
  using entry = std::tuple<vertex, vertex, float>;
  const std::set<entry> right = {{0, 1, 0.5F},   {1, 0, 0.5F},   {1, 2, 0.25F}, {2, 1, 0.25F},
                                 {0, 1, 0.125F}, {1, 0, 0.125F}, {2, 2, 0.0F}};
  for (const int pes : {1, 3, 7}) {
    boxcar::run(pes, [&](boxcar::world& w) {
      const cyclic_distribution d(w, 5);
      const graph_share g(w, d, share_of(w, edges), direction::both_ways);
      std::set<entry> found;
      for (std::uint32_t place = 0; place < d.count(); ++place) {
        const vertex from = d.vertex_at({place, d.rank()});
        EXPECT_EQ(g.has_neighbours(place), from < 3) << "vertex " << from;
        for (std::size_t i = 0; i < g.targets(place).size(); ++i) {
          const entry e{from, d.vertex_at(g.targets(place)[i]), g.weights(place)[i]};
          EXPECT_TRUE(right.contains(e));
          EXPECT_TRUE(found.insert(e).second);
        }
      }
      EXPECT_EQ(w.reduce(found.size()), right.size());
    });
  }
}

TEST(graph_share, has_edges_of_one_way_at_their_first_vertex) {
  boxcar::run(2, [](boxcar::world& w) {
    const cyclic_distribution d(w, 2);
    const std::vector<edge> edges = {{1, 0}, {1, 1}};
    const graph_share g(w, d, share_of(w, edges), direction::one_way);
    EXPECT_EQ(g.targets(0).size(), w.rank() == 1 ? 2U : 0U);
  });
}

TEST(graph_searches, find_what_a_serial_program_finds) {
  const kronecker_graph k{8, 4};
  expect_right_searches(k.share(0, 1), k.vertices(), {0, 1, 77, 255});
}

// The graph has few edges, so that a root reaches little of it, and one root has no edge.
TEST(graph_searches, find_small_components) {
  const kronecker_graph k{7, 1};
  std::vector<vertex> all(k.vertices());
  for (vertex v = 0; v < k.vertices(); ++v) all[v] = v;
  expect_right_searches(k.share(0, 1), k.vertices(), all);
}

// The distances go round all buckets many times, with weights at the bounds of buckets.
TEST(graph_searches, find_the_ends_of_a_long_path) {
  const std::vector<float> weights = {0, 0.125F, 0.99F, 0.1249F, 0x1p-24F, 1 - 0x1p-24F};
  std::vector<edge> path;
  for (vertex v = 0; v < 200; ++v) path.push_back({v, v + 1, weights[v % weights.size()]});
  expect_right_searches(path, 201, {0, 100, 200});
}

TEST(graph_searches, find_short_paths_of_many_edges) {
  std::vector<edge> fan;
  for (vertex v = 0; v < 40; ++v) {
    fan.push_back({v, v + 1, 0.01F});
    fan.push_back({0, v + 1, 0.9F});
  }
  expect_right_searches(fan, 41, {0, 20, 40});
}

TEST(graph_searches, stay_at_a_vertex_that_has_a_self_loop_only) {
  expect_right_searches({{0, 0, 0.5F}, {1, 2, 0.5F}}, 3, {0, 1});
}

}  // namespace
}  // namespace examples::graph::test::graph_search_test
