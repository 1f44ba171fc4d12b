// Trees over the PEs of a world: a topology graph for collectives (offloaded-collectives-2013,
// Table I). PEs stand in an order. In every shape the descendants of a PE stand directly behind the
// PE: hence values reduced upward are combined in order, and gathered blocks lie in order. Pure.
#pragma once

#include <cstddef>
#include <vector>

namespace boxcar::detail {

enum class tree_shape {
  k_ary,     // each PE splits its descendants into k parts, as evenly as possible
  k_nomial,  // the binomial tree for k = 2: k - 1 children for each power of k
};

struct tree_member {
  static constexpr int none = -1;
  struct child {
    int pe = 0;
    std::size_t first = 0;  // the child and its descendants, by positions in the order
    std::size_t last = 0;
  };

  int parent = none;
  std::size_t first = 0;
  std::size_t last = 0;
  std::vector<child> children;  // in the order of the PEs
};

class tree {
 public:
  // `order` has all PEs, the root first. `nodes` has the node of each PE; if `nodes` is not empty,
  // one edge enters and one edge leaves each node whose PEs stand side by side in the order.
  tree(tree_shape shape, int k, std::vector<int> order, std::vector<int> nodes = {});

  [[nodiscard]] tree_member place_of(int pe) const;

  // A run is a range of consecutive PE numbers that stand one behind the other in the order.
  struct run {
    int first = 0;
    int last = 0;
  };
  // Returns the runs of a range of the order.
  [[nodiscard]] std::vector<run> runs(std::size_t first, std::size_t last) const;

 private:
  struct range {
    std::size_t first = 0;
    std::size_t last = 0;
  };
  // Returns the ranges of the children of a range's first PE.
  [[nodiscard]] std::vector<range> below(const range& all) const;
  template <typename Add>
  void split(std::size_t n, const Add& add) const;
  [[nodiscard]] std::size_t end_of_node(const range& all) const;

  tree_shape shape_;
  std::size_t k_;
  std::vector<int> order_;
  std::vector<int> nodes_;
};

// Returns all PEs, beginning with `root`, in a circle.
[[nodiscard]] std::vector<int> order_from(int root, int pes);
// Returns the PEs node by node, the root's node first; within each node in ascending order, but the
// root first.
[[nodiscard]] std::vector<int> order_by_node(int root, const std::vector<int>& nodes);

}  // namespace boxcar::detail
