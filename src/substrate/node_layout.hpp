// Which PEs of a world share a node. Where nodes are alike, as they mostly are, it takes the same
// few bytes for any number of PEs; otherwise it grows with the number of runs: of successive PEs on
// one node.
//
// Nodes are numbered from 0 in the order of their lowest rank.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace boxcar::detail {

class node_layout {
 public:
  class builder;

  // All on one node.
  explicit node_layout(int pes) : pes_(pes), nodes_(1), run_(pes) {}
  // Successive PEs on so many nodes of nearly the same size.
  static node_layout spread(int pes, int nodes);

  [[nodiscard]] int pes() const { return pes_; }
  [[nodiscard]] int nodes() const { return nodes_; }
  [[nodiscard]] int node_of(int pe) const;
  // The place of a PE among those of its node, by rank.
  [[nodiscard]] int local_rank(int pe) const;
  [[nodiscard]] int local_size(int node) const;
  // The PE of a node that has this place.
  [[nodiscard]] int pe_at(int node, int local_rank) const;

  // The number of PEs of every node, if it is the same for all and they are numbered consecutively;
  // otherwise 0.
  [[nodiscard]] int pes_per_node() const;
  // The same if the last node may have fewer.
  [[nodiscard]] int pes_per_node_but_last() const;
  // No group of so many successive PEs, counted from PE 0, is spread over nodes.
  [[nodiscard]] bool keeps_together(int group) const;

  [[nodiscard]] std::size_t memory_bytes() const {
    return runs_.capacity() * sizeof(run) + sizes_.capacity() * sizeof(int);
  }

 private:
  struct run {
    int first;  // rank
    int node;
    int before;  // PEs of the node whose rank is lower
  };

  node_layout(int pes, int nodes) : pes_(pes), nodes_(nodes) {}
  [[nodiscard]] const run& run_of(int pe) const;

  int pes_;
  int nodes_;
  // The length of all runs, of which the last may be shorter, and which go round the nodes in turn;
  // 0: they differ, and stand below.
  int run_ = 0;
  std::vector<run> runs_;
  std::vector<int> sizes_;  // of the nodes
};

// Is told where the PEs are in the order of their ranks.
class node_layout::builder {
 public:
  // The next so many PEs are on one node; the same number always stands for the same node.
  void add(std::uint64_t node, int pes = 1);
  [[nodiscard]] node_layout build() &&;

 private:
  std::vector<run> runs_;
  std::vector<int> sizes_;
  std::unordered_map<std::uint64_t, int> numbers_;  // of the nodes
  int pes_ = 0;
};

}  // namespace boxcar::detail
