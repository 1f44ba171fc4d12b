// Validates trees of searches by the five rules of Graph500, distributed over the PEs.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <boxcar/stream.hpp>
#include <boxcar/world.hpp>

#include "support/graph/half_edges.hpp"
#include "support/graph/search_tree.hpp"

namespace examples::graph {

// The result of a validation: how often each rule is broken, the same numbers on all PEs.
struct verdict {
  // Rule 1, element 0: parents lead from each vertex of the tree to the root, and not to a cycle.
  // Rule 2: a distance is the parent's distance plus the weight of an edge between the two.
  // Rule 3: the distances of the ends of an edge differ by the weight at most.
  // Rule 4: no edge leads from a vertex of the tree to a vertex outside the tree.
  // Rule 5: an edge joins each vertex of the tree and the parent.
  std::array<std::uint64_t, 5> broken{};
  std::uint64_t edges = 0;  // between vertices of the tree

  [[nodiscard]] bool is_valid() const { return broken == std::array<std::uint64_t, 5>{}; }
};

// The validation has a list of edges of its own, which the kernels do not see. Source: the
// specification of Graph500, section 8. Rule 2 is stricter than the specification: a distance is
// exactly a sum of weights, as in the reference program.
class validation {
 public:
  // Collective. The edges are undirected.
  validation(boxcar::world& w, const cyclic_distribution& d, std::span<const edge> edges);
  validation(const validation&) = delete;
  validation& operator=(const validation&) = delete;

  // Collective. Validates a tree whose distances are in edges: all edges have the weight 1.
  verdict validate_levels(const search_tree& tree, vertex root) {
    return validate(tree, root, true);
  }
  // Collective. Validates a tree whose distances are sums of weights.
  verdict validate_paths(const search_tree& tree, vertex root) {
    return validate(tree, root, false);
  }

 private:
  // An edge from a vertex of the tree, on the PE of its second vertex.
  struct arriving_edge {
    std::uint32_t to;
    address from;
    float distance;  // of `from`
    float weight;
  };
  struct child {
    std::uint32_t parent;
    address vertex;
  };
  // What is known of a vertex of the PE.
  struct vertex_state {
    bool is_below_root = false;
    bool has_edge_to_parent = false;
    bool has_right_distance = false;
  };

  verdict validate(const search_tree& tree, vertex root, bool unit_weights);
  void mark_below(address root);
  void send_children();
  void send_edges(bool unit_weights);
  void arrive(const arriving_edge& e);
  void check_vertices(address root);

  boxcar::world& world_;
  cyclic_distribution distribution_;
  std::vector<half_edge> edges_;
  const search_tree* tree_ = nullptr;
  verdict verdict_;
  std::vector<vertex_state> states_;
  std::vector<std::vector<address>> children_;
  boxcar::stream<child> to_parents_;
  boxcar::stream<std::uint32_t> to_children_;
  boxcar::stream<arriving_edge> to_ends_;
};

}  // namespace examples::graph
