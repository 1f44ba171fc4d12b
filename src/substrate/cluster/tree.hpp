// The tree over which the small collectives of a cluster go: binomial, so that every PE has at most
// log2 of their number as neighbours, and so that the PEs below each one follow it without a gap:
// values are combined in the order of the ranks.
#pragma once

#include <limits>
#include <vector>

namespace boxcar::detail {

struct tree_place {
  int parent = -1;            // -1: this is the root, PE 0
  std::vector<int> children;  // ascending; below each are the PEs up to the next one
};

inline tree_place place_in_tree(int rank, int size) {
  tree_place place;
  if (rank != 0) place.parent = rank & (rank - 1);
  for (int step = 1; rank + step < size && (rank & step) == 0; step *= 2) {
    place.children.push_back(rank + step);
  }
  return place;
}

// The PE behind the last one at or below a place, in a tree of as many PEs as there may be.
inline int end_of_subtree(int rank) {
  return rank == 0 ? std::numeric_limits<int>::max() : rank + (rank & -rank);
}

}  // namespace boxcar::detail
