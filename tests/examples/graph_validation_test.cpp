// Tests of the validation of trees: for each of the five rules of Graph500, a right tree is changed
// so that this rule is broken, and no other one.
#include <array>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include <boxcar/run.hpp>

#include "support/graph/breadth_first_search.hpp"
#include "support/graph/delta_stepping.hpp"
#include "support/graph/kronecker_graph.hpp"
#include "support/graph/validation.hpp"

namespace examples::graph::test::graph_validation_test {
namespace {

// A right tree of shortest paths from vertex 0, of which a test changes some vertices.
class planted_tree {
 public:
  planted_tree(boxcar::world& w, const std::vector<edge>& edges, vertex vertices)
      : distribution_(w, vertices),
        mine_(w.rank() == 0 ? edges : std::vector<edge>()),
        graph_(w, distribution_, mine_, direction::both_ways),
        tree_(delta_stepping(w, graph_).run(0)) {}

  void set_parent(vertex v, vertex parent) { set_parent(v, distribution_.address_of(parent)); }
  void set_parent(vertex v, address parent) {
    if (is_mine(v)) tree_.parent[distribution_.address_of(v).place] = parent;
  }
  void set_distance(vertex v, float distance) {
    if (is_mine(v)) tree_.distance[distribution_.address_of(v).place] = distance;
  }
  void remove(vertex v) {
    set_parent(v, address{});
    set_distance(v, unreached);
  }
  [[nodiscard]] verdict validate(boxcar::world& w) const {
    return validation(w, distribution_, mine_).validate_paths(tree_, 0);
  }

 private:
  [[nodiscard]] bool is_mine(vertex v) const {
    return distribution_.address_of(v).pe == distribution_.rank();
  }

  cyclic_distribution distribution_;
  std::vector<edge> mine_;
  graph_share graph_;
  search_tree tree_;
};

using counts = std::array<std::uint64_t, 5>;

// A change of the tree of a small graph must break the rules, so many times each.
void expect_broken(const std::vector<edge>& edges, vertex vertices, const counts& rules,
                   const std::function<void(planted_tree&)>& change) {
  for (const int pes : {1, 3, 7}) {
    boxcar::run(pes, [&](boxcar::world& w) {
      planted_tree tree(w, edges, vertices);
      EXPECT_TRUE(tree.validate(w).is_valid());
      change(tree);
      const verdict v = tree.validate(w);
      EXPECT_EQ(v.broken, rules) << "PEs: " << pes;
      EXPECT_EQ(v.is_valid(), rules == counts{});
    });
  }
}

// Paths 0 - 1 - 2 and 0 - 3.
const std::vector<edge> fork = {{0, 1, 0.5F}, {1, 2, 0.25F}, {0, 3, 0.5F}};

TEST(validation, notices_a_cycle) {
  const std::vector<edge> path = {{0, 1, 0.5F}, {1, 2, 0}};
  expect_broken(path, 3, {2, 0, 0, 0, 0}, [](planted_tree& t) {
    t.set_parent(1, 2);
    t.set_parent(2, 1);
  });
}

TEST(validation, notices_a_vertex_that_is_its_own_parent) {
  const std::vector<edge> loop = {{0, 1, 0.5F}, {1, 1, 0}};
  expect_broken(loop, 2, {1, 0, 0, 0, 0}, [](planted_tree& t) { t.set_parent(1, 1); });
}

TEST(validation, notices_a_root_with_another_parent) {
  expect_broken(fork, 4, {1, 0, 0, 0, 0}, [](planted_tree& t) { t.set_parent(0, 1); });
}

TEST(validation, notices_a_distance_that_is_too_small) {
  expect_broken(fork, 4, {0, 1, 0, 0, 0}, [](planted_tree& t) { t.set_distance(3, 0.25F); });
}

TEST(validation, notices_a_distance_of_the_root) {
  expect_broken(fork, 4, {0, 3, 0, 0, 0}, [](planted_tree& t) { t.set_distance(0, 0.25F); });
}

TEST(validation, notices_a_distance_that_is_not_a_number) {
  expect_broken(fork, 4, {0, 1, 2, 0, 0}, [](planted_tree& t) {
    t.set_distance(3, std::numeric_limits<float>::quiet_NaN());
  });
}

TEST(validation, notices_a_path_that_is_not_the_shortest) {
  const std::vector<edge> triangle = {{0, 1, 0.5F}, {0, 2, 0.125F}, {2, 1, 0.125F}};
  expect_broken(triangle, 3, {0, 0, 1, 0, 0}, [](planted_tree& t) {
    t.set_parent(1, 0);
    t.set_distance(1, 0.5F);
  });
}

TEST(validation, notices_a_vertex_that_was_left_out) {
  expect_broken(fork, 4, {0, 0, 0, 1, 0}, [](planted_tree& t) { t.remove(3); });
}

TEST(validation, notices_a_distance_without_a_parent) {
  expect_broken(fork, 4, {0, 1, 0, 1, 0}, [](planted_tree& t) { t.set_parent(3, address{}); });
}

TEST(validation, notices_a_parent_without_an_edge) {
  expect_broken(fork, 4, {0, 0, 0, 0, 1}, [](planted_tree& t) { t.set_parent(2, 3); });
}

// The vertices below it are not below the root either.
TEST(validation, notices_a_parent_that_does_not_exist) {
  expect_broken(fork, 4, {2, 0, 0, 0, 1}, [](planted_tree& t) { t.set_parent(1, address{0, 99}); });
  expect_broken(fork, 4, {2, 0, 0, 0, 1}, [](planted_tree& t) { t.set_parent(1, address{99, 0}); });
}

// The tree of a vertex of another component.
TEST(validation, notices_a_vertex_that_cannot_be_reached) {
  expect_broken(fork, 5, {0, 0, 0, 0, 1}, [](planted_tree& t) {
    t.set_parent(4, 0);
    t.set_distance(4, 0.5F);
  });
}

// A wrong parent or level anywhere in a large tree is noticed.
TEST(validation, notices_a_wrong_vertex_of_a_kronecker_graph) {
  const kronecker_graph k{8, 4};
  boxcar::run(3, [&](boxcar::world& w) {
    const cyclic_distribution d(w, k.vertices());
    const std::vector<edge> mine = k.share(static_cast<std::uint64_t>(w.rank()), 3);
    const graph_share g(w, d, mine, direction::both_ways);
    validation v(w, d, mine);
    breadth_first_search search(w, g);
    vertex root = 0;
    while (w.reduce(std::uint64_t{d.address_of(root).pe == w.rank() &&
                                  g.has_neighbours(d.address_of(root).place)}) == 0) {
      ++root;
    }
    const search_tree right = search.run(root);
    ASSERT_TRUE(v.validate_levels(right, root).is_valid());
    for (std::uint32_t place = 0; place < 80; place += 11) {
      search_tree wrong = right;
      if (w.rank() == 1 && right.has(place)) wrong.distance[place] += 1;
      if (w.rank() == 1 && !right.has(place)) wrong.parent[place] = d.address_of(root);
      EXPECT_FALSE(v.validate_levels(wrong, root).is_valid()) << "place " << place;
    }
  });
}

}  // namespace
}  // namespace examples::graph::test::graph_validation_test
