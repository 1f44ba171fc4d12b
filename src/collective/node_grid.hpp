// The PEs as a grid: a row for each node, in which they stand in their order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace boxcar::detail {

class node_grid {
 public:
  // `nodes`: of each PE, from 0 on.
  explicit node_grid(std::vector<int> nodes) : nodes_(std::move(nodes)) {
    rows_.resize(static_cast<std::size_t>(*std::ranges::max_element(nodes_)) + 1);
    for (std::size_t pe = 0; pe < nodes_.size(); ++pe) {
      auto& row = rows_[static_cast<std::size_t>(nodes_[pe])];
      places_.push_back(row.size());
      row.push_back(static_cast<int>(pe));
    }
  }

  [[nodiscard]] int node_of(int pe) const { return nodes_[static_cast<std::size_t>(pe)]; }
  [[nodiscard]] std::size_t nodes() const { return rows_.size(); }
  [[nodiscard]] const std::vector<int>& row(int node) const {
    return rows_[static_cast<std::size_t>(node)];
  }
  // Of each row the last PE.
  [[nodiscard]] std::vector<int> ends_of_rows() const {
    std::vector<int> all;
    for (const std::vector<int>& row : rows_) all.push_back(row.back());
    return all;
  }
  // The PE of a node over which its messages to `pe` go: that in the column of `pe`, or with fewer
  // columns the one that stands for it.
  [[nodiscard]] int gateway(int node, int pe) const {
    return row(node)[places_[static_cast<std::size_t>(pe)] % row(node).size()];
  }
  // The PEs of all nodes to which messages of its node go over `pe`.
  [[nodiscard]] std::vector<int> reached_over(int pe) const {
    std::vector<int> all;
    for (int other = 0; other < static_cast<int>(nodes_.size()); ++other) {
      if (gateway(node_of(pe), other) == pe) all.push_back(other);
    }
    return all;
  }

 private:
  std::vector<int> nodes_;
  std::vector<std::vector<int>> rows_;
  std::vector<std::size_t> places_;
};

}  // namespace boxcar::detail
