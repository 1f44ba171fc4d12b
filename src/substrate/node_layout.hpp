// A node_layout maps the PEs of a world to nodes. If all nodes are alike, as nodes mostly are, the
// layout takes the same few bytes for any number of PEs. Otherwise its size grows with the number
// of runs; a run is a sequence of successive PEs on one node.
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

  // A layout of all PEs on one node.
  explicit node_layout(int pes) : pes_(pes), nodes_(1), run_(pes) {}
  // Returns a layout of successive PEs on `nodes` nodes of nearly equal size.
  static node_layout spread(int pes, int nodes);

  [[nodiscard]] int pes() const { return pes_; }
  [[nodiscard]] int nodes() const { return nodes_; }
  [[nodiscard]] int node_of(int pe) const;
  // Returns the index of a PE among the PEs of its node, by rank.
  [[nodiscard]] int local_rank(int pe) const;
  [[nodiscard]] int local_size(int node) const;
  // Returns the PE of `node` with the local rank `local_rank`.
  [[nodiscard]] int pe_at(int node, int local_rank) const;

  // Returns the number of PEs of every node, if all nodes have equally many PEs with consecutive
  // ranks; otherwise 0.
  [[nodiscard]] int pes_per_node() const;
  // Returns pes_per_node, also if the last node has fewer PEs.
  [[nodiscard]] int pes_per_node_but_last() const;
  // Returns true if no group of `group` successive PEs, counted from PE 0, is spread over nodes.
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
  // The length of all runs, assigned to the nodes in turn; the last run may be shorter. 0: lengths
  // differ, and the members below list the runs.
  int run_ = 0;
  std::vector<run> runs_;
  std::vector<int> sizes_;  // of the nodes
};

// The builder takes the nodes of PEs in the order of their ranks.
class node_layout::builder {
 public:
  // Adds `pes` successive PEs on one node; equal numbers stand for the same node.
  void add(std::uint64_t node, int pes = 1);
  [[nodiscard]] node_layout build() &&;

 private:
  std::vector<run> runs_;
  std::vector<int> sizes_;
  std::unordered_map<std::uint64_t, int> numbers_;  // of the nodes
  int pes_ = 0;
};

}  // namespace boxcar::detail
