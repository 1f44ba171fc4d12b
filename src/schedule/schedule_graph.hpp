// A PE's part of a graph: the vertices, their operations and dependencies. Pure. Finds all errors
// that can be found on a single PE.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <boxcar/schedule.hpp>

namespace boxcar::detail {

enum class vertex_kind : std::uint8_t { send, receive, copy, combine, compute };

struct graph_vertex {
  vertex_kind kind = vertex_kind::send;
  int pe = any_pe;  // of messages
  int tag = any_tag;
  std::span<const std::byte> from = {};
  std::span<std::byte> into = {};
  std::vector<std::span<const std::byte>> inputs = {};  // of a function
  std::function<void()> function = {};
  number_type type = number_type::int64;  // of numbers that are combined
  arithmetic how = arithmetic::sum;
  std::vector<int> after = {};  // direct dependencies, each once
  std::string name = {};

  [[nodiscard]] bool is_message() const {
    return kind == vertex_kind::send || kind == vertex_kind::receive;
  }
  [[nodiscard]] std::size_t bytes() const {
    const bool is_of_its_result = kind == vertex_kind::receive || kind == vertex_kind::compute;
    return is_of_its_result ? into.size() : from.size();
  }
};

// The name of a vertex of any PE.
struct vertex_place {
  int pe = -1;
  int vertex = -1;
};

struct schedule_graph {
  std::vector<graph_vertex> vertices;

  // Returns a text like "vertex 3 (ghost), receive 8 bytes from PE 1 with tag 5".
  [[nodiscard]] std::string describe(int vertex) const;
  // Returns a text about vertices that form a cycle, or that use the same memory without a
  // dependency.
  [[nodiscard]] std::optional<std::string> problem() const;

  // `partners` has the partner of each vertex, if known.
  [[nodiscard]] std::string text(std::span<const vertex_place> partners = {}) const;
  [[nodiscard]] std::string graphviz(std::span<const vertex_place> partners = {}) const;
};

}  // namespace boxcar::detail
