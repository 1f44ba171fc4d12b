// Tests of the analysis of a PE's part of a graph, and of its messages.
#include "schedule/schedule_graph.hpp"

#include <array>
#include <gtest/gtest.h>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "support/dice.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::schedule_graph_test {
namespace {

using detail::graph_vertex;
using detail::schedule_graph;
using detail::vertex_kind;

std::array<std::byte, 100> memory;
const std::span<std::byte> all(memory);

graph_vertex copying(std::size_t from, std::size_t into, std::vector<int> after = {}) {
  return {.kind = vertex_kind::copy,
          .from = all.subspan(from, 10),
          .into = all.subspan(into, 10),
          .after = std::move(after)};
}

TEST(schedule_graph, is_told_in_words_and_as_a_picture) {
  schedule_graph g;
  g.vertices = {{.kind = vertex_kind::receive, .into = all.first(8), .name = "a \"ghost\""},
                {.kind = vertex_kind::send, .pe = 2, .tag = 7, .from = all.first(8), .after = {0}},
                copying(20, 40, {0, 1})};
  EXPECT_EQ(g.text(),
            "vertex 0 (a \"ghost\"), receive 8 bytes from any PE with any tag\n"
            "vertex 1, send 8 bytes to PE 2 with tag 7, after 0\n"
            "vertex 2, copy 10 bytes, after 0 1\n");
  const std::vector<detail::vertex_place> partners{{3, 5}, {2, 0}, {}};
  EXPECT_EQ(g.text(partners),
            "vertex 0 (a \"ghost\"), receive 8 bytes from any PE with any tag, matches vertex 5 of "
            "PE 3\n"
            "vertex 1, send 8 bytes to PE 2 with tag 7, after 0, matches vertex 0 of PE 2\n"
            "vertex 2, copy 10 bytes, after 0 1\n");
  EXPECT_EQ(
      g.graphviz(partners),
      "digraph schedule {\n"
      "  v0 [shape=box, label=\"a \\\"ghost\\\": receive 8 bytes from any PE with any tag\"];\n"
      "  \"PE 3, vertex 5\" -> v0 [style=dashed];\n"
      "  v1 [shape=box, label=\"send 8 bytes to PE 2 with tag 7\"];\n"
      "  v0 -> v1;\n"
      "  v1 -> \"PE 2, vertex 0\" [style=dashed];\n"
      "  v2 [shape=box, label=\"copy 10 bytes\"];\n"
      "  v0 -> v2;\n"
      "  v1 -> v2;\n"
      "}\n");
}

TEST(schedule_graph, has_no_circles) {
  schedule_graph g;
  g.vertices = {copying(0, 10), copying(20, 30, {3}), copying(40, 50, {1, 0}), copying(60, 70, {2}),
                copying(80, 90, {3})};
  g.vertices[2].name = "middle";
  const std::string problem = g.problem().value_or("");
  expect_mentions(problem, {"circle", "vertex 1,", "vertex 2 (middle)", "vertex 3,", "leave out"});
  EXPECT_EQ(problem.find("vertex 0"), std::string::npos);
  EXPECT_EQ(problem.find("vertex 4"), std::string::npos);
  g.vertices[1].after.clear();
  EXPECT_EQ(g.problem(), std::nullopt);
  g.vertices[0].after = {0};
  expect_mentions(g.problem().value_or(""), {"circle: vertex 0", "-> vertex 0"});
}

TEST(schedule_graph, uses_no_memory_twice_at_once) {
  schedule_graph g;
  const auto expect_problem = [&](std::vector<graph_vertex> vertices, bool is_one) {
    g.vertices = std::move(vertices);
    const auto problem = g.problem();
    EXPECT_EQ(problem.has_value(), is_one) << problem.value_or("");
    if (problem) expect_mentions(*problem, {"vertex 0", "vertex", "memor"});
  };
  expect_problem({copying(0, 10), copying(0, 20)}, false);   // two reads
  expect_problem({copying(0, 10), copying(40, 15)}, true);   // two writes
  expect_problem({copying(0, 10), copying(19, 50)}, true);   // a read and a write
  expect_problem({copying(0, 10), copying(30, 9)}, true);    // the other does
  expect_problem({copying(0, 10), copying(20, 30)}, false);  // side by side
  expect_problem({copying(0, 10), copying(10, 20, {0})}, false);
  expect_problem({copying(0, 10, {2}), copying(10, 20), copying(40, 50, {1})}, false);
  expect_problem({copying(0, 9)}, true);  // within itself
}

// Checks all pairs of vertices, and all paths between them.
bool uses_memory_twice(const schedule_graph& g) {
  const auto size = g.vertices.size();
  std::vector<std::vector<bool>> depends(size, std::vector<bool>(size));
  for (std::size_t v = 0; v < size; ++v) {  // on vertices with lower numbers only
    for (const int e : g.vertices[v].after) {
      depends[v][static_cast<std::size_t>(e)] = true;
      for (std::size_t x = 0; x < size; ++x) {
        depends[v][x] = depends[v][x] || depends[static_cast<std::size_t>(e)][x];
      }
    }
  }
  const auto share = [](std::span<const std::byte> x, std::span<const std::byte> y) {
    return x.data() < y.data() + y.size() && y.data() < x.data() + x.size();
  };
  for (std::size_t b = 0; b < size; ++b) {
    const graph_vertex& y = g.vertices[b];
    if (share(y.from, y.into)) return true;
    for (std::size_t a = 0; a < b; ++a) {
      const graph_vertex& x = g.vertices[a];
      const bool conflict = share(x.into, y.into) || share(x.from, y.into) || share(x.into, y.from);
      if (conflict && !depends[b][a]) return true;
    }
  }
  return false;
}

TEST(schedule_graph, finds_in_random_graphs_what_all_pairs_show) {
  dice d(program_seed(0));
  int problems = 0;
  constexpr int graphs = 20'000;
  for (int i = 0; i < graphs; ++i) {
    schedule_graph g;
    const int size = 1 + d.below(8);
    for (int v = 0; v < size; ++v) {
      graph_vertex x{.kind = vertex_kind::copy};
      const auto length = static_cast<std::size_t>(1 + d.below(4));
      x.from = all.subspan(static_cast<std::size_t>(d.below(30)), length);
      x.into = all.subspan(static_cast<std::size_t>(d.below(30)), length);
      for (int e = 0; e < v; ++e) {
        if (d.chance(40)) x.after.push_back(e);
      }
      g.vertices.push_back(std::move(x));
    }
    const bool expected = uses_memory_twice(g);
    ASSERT_EQ(g.problem().has_value(), expected) << g.text();
    problems += expected ? 1 : 0;
  }
  EXPECT_GT(problems, graphs / 10);
  EXPECT_LT(problems, graphs * 9 / 10);
}

}  // namespace
}  // namespace boxcar::test::schedule_graph_test
