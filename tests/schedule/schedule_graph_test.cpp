// What is found out about a PE's part of a graph, and how that is told.
#include "schedule/schedule_graph.hpp"

#include <array>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <vector>

#include "support/thrown.hpp"

namespace boxcar::test {
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
  expect_problem({copying(0, 10), copying(0, 20)}, false);   // both read
  expect_problem({copying(0, 10), copying(20, 15)}, true);   // both write
  expect_problem({copying(0, 10), copying(19, 50)}, true);   // one writes
  expect_problem({copying(0, 10), copying(30, 9)}, true);    // the other does
  expect_problem({copying(0, 10), copying(20, 30)}, false);  // side by side
  expect_problem({copying(0, 10), copying(10, 20, {0})}, false);
  expect_problem({copying(0, 10, {2}), copying(10, 20), copying(40, 50, {1})}, false);
  expect_problem({copying(0, 9)}, true);  // within itself
}

}  // namespace
}  // namespace boxcar::test
