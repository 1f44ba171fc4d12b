// The distribution of the vertices of a graph over the PEs: vertex v belongs to PE v % size().
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include <boxcar/error.hpp>
#include <boxcar/world.hpp>

namespace examples::graph {

using vertex = std::uint64_t;

// A vertex by its PE and its index among the vertices of the PE: no division finds the PE.
struct address {
  std::uint32_t place = 0;
  std::int32_t pe = -1;  // -1: no vertex

  [[nodiscard]] bool is_vertex() const { return pe != -1; }
  friend bool operator==(const address&, const address&) = default;
};

class cyclic_distribution {
 public:
  // Local. Throws argument_error if a PE has more than 2^32 - 1 vertices.
  cyclic_distribution(const boxcar::world& w, vertex vertices)
      : vertices_(vertices),
        pes_(static_cast<vertex>(w.size())),
        rank_(static_cast<vertex>(w.rank())) {
    constexpr vertex most = std::numeric_limits<std::uint32_t>::max();
    const vertex of_first = vertices / pes_ + (vertices % pes_ != 0 ? 1 : 0);
    if (of_first > most) {
      throw boxcar::argument_error("the graph has " + std::to_string(vertices) + " vertices on " +
                                   std::to_string(pes_) + " PEs, and a PE has at most " +
                                   std::to_string(most) + ": give a smaller graph, or more PEs");
    }
    count_ = static_cast<std::uint32_t>(vertices / pes_ + (rank_ < vertices % pes_ ? 1 : 0));
  }

  [[nodiscard]] vertex vertices() const { return vertices_; }
  [[nodiscard]] std::int32_t rank() const { return static_cast<std::int32_t>(rank_); }
  // Returns the number of vertices of the PE.
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] address address_of(vertex v) const {
    return {static_cast<std::uint32_t>(v / pes_), static_cast<std::int32_t>(v % pes_)};
  }
  [[nodiscard]] vertex vertex_at(address a) const {
    return a.place * pes_ + static_cast<vertex>(a.pe);
  }
  [[nodiscard]] bool has(address a) const {
    return a.pe >= 0 && static_cast<vertex>(a.pe) < pes_ && vertex_at(a) < vertices_;
  }

 private:
  vertex vertices_;
  vertex pes_;
  vertex rank_;
  std::uint32_t count_ = 0;  // vertices of the PE
};

}  // namespace examples::graph
