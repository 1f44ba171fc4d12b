// A PE's part of a graph: what vertices do, and what they depend on. Pure; what can be found out by
// looking at one PE alone is found here.
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
  std::vector<int> after = {};  // those that it depends on, each once
  std::string name = {};

  [[nodiscard]] bool is_message() const {
    return kind == vertex_kind::send || kind == vertex_kind::receive;
  }
  [[nodiscard]] std::size_t bytes() const {
    const bool is_of_its_result = kind == vertex_kind::receive || kind == vertex_kind::compute;
    return is_of_its_result ? into.size() : from.size();
  }
};

// A vertex of any PE.
struct vertex_place {
  int pe = -1;
  int vertex = -1;
};

struct schedule_graph {
  std::vector<graph_vertex> vertices;

  // "vertex 3 (ghost), receive 8 bytes from PE 1 with tag 5".
  [[nodiscard]] std::string describe(int vertex) const;
  // Vertices that depend on one another in a circle, or do not but use the same memory.
  [[nodiscard]] std::optional<std::string> problem() const;

  // `partners`: of each vertex, if they are known.
  [[nodiscard]] std::string text(std::span<const vertex_place> partners = {}) const;
  [[nodiscard]] std::string graphviz(std::span<const vertex_place> partners = {}) const;
};

}  // namespace boxcar::detail
