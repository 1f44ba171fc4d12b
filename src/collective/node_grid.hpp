// The PEs as a grid: each node is a row, with its PEs in ascending order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace boxcar::detail {

class node_grid {
 public:
  // `nodes` has the node of each PE, from 0 on. A row begins with its lowest PE, except that the
  // row of `first` begins with `first` and wraps around.
  explicit node_grid(std::vector<int> nodes, int first = 0)
      : nodes_(std::move(nodes)), places_(nodes_.size()) {
    rows_.resize(static_cast<std::size_t>(*std::ranges::max_element(nodes_)) + 1);
    for (std::size_t pe = 0; pe < nodes_.size(); ++pe) {
      rows_[static_cast<std::size_t>(nodes_[pe])].push_back(static_cast<int>(pe));
    }
    auto& its_row = rows_[static_cast<std::size_t>(node_of(first))];
    std::ranges::rotate(its_row, std::ranges::find(its_row, first));
    for (const std::vector<int>& row : rows_) {
      for (std::size_t i = 0; i < row.size(); ++i) places_[static_cast<std::size_t>(row[i])] = i;
    }
  }

  [[nodiscard]] int node_of(int pe) const { return nodes_[static_cast<std::size_t>(pe)]; }
  [[nodiscard]] std::size_t nodes() const { return rows_.size(); }
  [[nodiscard]] const std::vector<int>& row(int node) const {
    return rows_[static_cast<std::size_t>(node)];
  }
  // Returns the last PE of each row.
  [[nodiscard]] std::vector<int> ends_of_rows() const {
    std::vector<int> all;
    for (const std::vector<int>& row : rows_) all.push_back(row.back());
    return all;
  }
  [[nodiscard]] std::size_t shortest_row() const {
    return std::ranges::min_element(rows_, {}, &std::vector<int>::size)->size();
  }
  // Returns the position, in its row, of the node's PE in a column. Each column has a PE of every
  // node.
  [[nodiscard]] std::size_t place_in_column(int node, std::size_t column,
                                            std::size_t columns) const {
    return column * row(node).size() / columns;
  }
  [[nodiscard]] std::vector<int> column(std::size_t column, std::size_t columns) const {
    std::vector<int> all;
    for (int node = 0; node < static_cast<int>(nodes()); ++node) {
      all.push_back(row(node)[place_in_column(node, column, columns)]);
    }
    return all;
  }
  // Returns the PE of a node that sends the node's messages to `pe`: the PE in the column of `pe`,
  // or its substitute if the row is shorter.
  [[nodiscard]] int gateway(int node, int pe) const {
    return row(node)[places_[static_cast<std::size_t>(pe)] % row(node).size()];
  }
  // Returns the PEs of all nodes for which `pe` is the gateway of its node.
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
