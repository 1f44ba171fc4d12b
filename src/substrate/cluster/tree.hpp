// The tree for the small collectives of a cluster. The tree is binomial: every PE has at most log2
// of the number of PEs as neighbours, and the PEs below a PE follow the PE without a gap, so that
// values are combined in the order of the ranks.
#pragma once

#include <limits>
#include <vector>

namespace boxcar::detail {

struct tree_place {
  int parent = -1;            // -1: this is the root, PE 0
  std::vector<int> children;  // ascending; the subtree of a child ends before the next child
};

inline tree_place place_in_tree(int rank, int size) {
  tree_place place;
  if (rank != 0) place.parent = rank & (rank - 1);
  for (int step = 1; rank + step < size && (rank & step) == 0; step *= 2) {
    place.children.push_back(rank + step);
  }
  return place;
}

// Returns the rank after the last PE in the subtree of `rank`, in a tree of unlimited size.
inline int end_of_subtree(int rank) {
  return rank == 0 ? std::numeric_limits<int>::max() : rank + (rank & -rank);
}

}  // namespace boxcar::detail
