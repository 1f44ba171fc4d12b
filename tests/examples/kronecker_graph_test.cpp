// Tests of the random graph of Graph500, and of the distribution of its vertices.
#include "support/graph/kronecker_graph.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <boxcar/error.hpp>
#include <boxcar/run.hpp>

#include "support/graph/cyclic_distribution.hpp"

namespace examples::graph::test::kronecker_graph_test {
namespace {

using values = std::tuple<vertex, vertex, float>;

values values_of(const edge& e) {
  return {e.from, e.to, e.weight};
}

TEST(kronecker_graph, has_the_same_edges_for_any_number_of_pes) {
  const kronecker_graph k{5, 7};
  std::multiset<values> alone;
  for (const edge& e : k.share(0, 1)) alone.insert(values_of(e));
  EXPECT_EQ(alone.size(), 224U);
  std::multiset<values> together;
  for (std::uint64_t rank = 0; rank < 3; ++rank) {
    for (const edge& e : k.share(rank, 3)) together.insert(values_of(e));
  }
  EXPECT_EQ(together, alone);
}

TEST(kronecker_graph, has_vertices_and_weights_in_range) {
  const kronecker_graph k{10, 16};
  double sum = 0;
  for (const edge& e : k.share(0, 1)) {
    ASSERT_LT(e.from, k.vertices());
    ASSERT_LT(e.to, k.vertices());
    ASSERT_GE(e.weight, 0);
    ASSERT_LT(e.weight, 1);
    sum += static_cast<double>(e.weight);
  }
  EXPECT_NEAR(sum / static_cast<double>(k.edges()), 0.5, 0.01);
}

TEST(kronecker_graph, has_few_vertices_with_many_edges) {
  const kronecker_graph k{10, 16};
  std::vector<int> degrees(k.vertices());
  for (const edge& e : k.share(0, 1)) ++degrees[e.from];
  std::ranges::sort(degrees, std::greater());
  // The expected degrees, with 76 % of a row in the upper half at each of ten bits: the first
  // vertex has 16,384 * 0.76^10 = 1,053 edges, the last one 16,384 * 0.24^10 = 0.01.
  EXPECT_NEAR(degrees.front(), 1'053, 150);
  EXPECT_EQ(degrees.back(), 0);
}

TEST(kronecker_graph, has_every_vertex_once_among_the_candidates_of_roots) {
  for (std::uint64_t scale = 1; scale <= 12; ++scale) {
    const kronecker_graph k{scale, 1};
    std::set<vertex> all;
    for (std::uint64_t i = 0; i < k.vertices(); ++i) all.insert(k.root_candidate(i));
    EXPECT_EQ(all.size(), k.vertices()) << "scale: " << scale;
    EXPECT_EQ(*all.rbegin(), k.vertices() - 1);
  }
}

TEST(cyclic_distribution, gives_every_vertex_an_address_of_its_own) {
  for (const int pes : {1, 3, 8}) {
    boxcar::run(pes, [&](boxcar::world& w) {
      const cyclic_distribution d(w, 7);
      EXPECT_EQ(w.reduce(vertex{d.count()}), 7U);
      for (vertex v = 0; v < 7; ++v) {
        const address a = d.address_of(v);
        EXPECT_EQ(d.vertex_at(a), v);
        EXPECT_TRUE(d.has(a));
        if (a.pe == w.rank()) {
          EXPECT_LT(a.place, d.count());
        }
      }
      EXPECT_FALSE(d.has({}));
      EXPECT_FALSE(d.has({0, w.size()}));
      EXPECT_FALSE(d.has({7, 0}));
    });
  }
}

TEST(cyclic_distribution, refuses_more_vertices_than_places) {
  boxcar::run(1, [](boxcar::world& w) {
    constexpr vertex most = vertex{1} << 32;
    EXPECT_EQ(cyclic_distribution(w, most - 1).count(), most - 1);
    try {
      const cyclic_distribution d(w, most + 5);
      FAIL() << "a place is out of range";
    } catch (const boxcar::argument_error& e) {
      EXPECT_NE(std::string(e.what()).find("4294967301 vertices on 1 PEs"), std::string::npos)
          << e.what();
    }
  });
  boxcar::run(2, [](boxcar::world& w) {
    constexpr vertex most = (vertex{1} << 33) - 2;
    EXPECT_EQ(cyclic_distribution(w, most).count(), most / 2);
    EXPECT_THROW(cyclic_distribution(w, most + 1), boxcar::argument_error);
  });
}

}  // namespace
}  // namespace examples::graph::test::kronecker_graph_test
