// Trees over the PEs of a world: a topology graph for collectives (offloaded-collectives-2013,
// Table I). PEs stand in an order, and whatever the shape, the PEs below one are those that stand
// directly behind it: so what is combined going up is combined in that order, and what is gathered
// lies in it. Pure.
#pragma once

#include <cstddef>
#include <vector>

namespace boxcar::detail {

enum class tree_shape {
  k_ary,     // each PE splits those behind it into k parts, as equal as can be
  k_nomial,  // the binomial tree for k = 2: k - 1 children for each power of k
};

struct tree_member {
  static constexpr int none = -1;
  struct child {
    int pe = 0;
    std::size_t first = 0;  // it and those below it, by their places in the order
    std::size_t last = 0;
  };

  int parent = none;
  std::size_t first = 0;
  std::size_t last = 0;
  std::vector<child> children;  // in the order of the PEs
};

class tree {
 public:
  // `order`: all PEs, the root first. `nodes`: of each PE; if it is not empty, a node is entered
  // and left by one edge each, where its PEs stand side by side.
  tree(tree_shape shape, int k, std::vector<int> order, std::vector<int> nodes = {});

  [[nodiscard]] tree_member place_of(int pe) const;

  // PEs that are numbered and stand one behind the other in the order.
  struct run {
    int first = 0;
    int last = 0;
  };
  // Those of a part of the order.
  [[nodiscard]] std::vector<run> runs(std::size_t first, std::size_t last) const;

 private:
  struct range {
    std::size_t first = 0;
    std::size_t last = 0;
  };
  // The parts below the first of a range.
  [[nodiscard]] std::vector<range> below(const range& all) const;
  template <typename Add>
  void split(std::size_t n, const Add& add) const;
  [[nodiscard]] std::size_t end_of_node(const range& all) const;

  tree_shape shape_;
  std::size_t k_;
  std::vector<int> order_;
  std::vector<int> nodes_;
};

// All PEs, beginning with `root` and in a circle.
[[nodiscard]] std::vector<int> order_from(int root, int pes);
// The nodes in turn, that of the root first; within each the PEs in their order, but the root
// first.
[[nodiscard]] std::vector<int> order_by_node(int root, const std::vector<int>& nodes);

}  // namespace boxcar::detail
