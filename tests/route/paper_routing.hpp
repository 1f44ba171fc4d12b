// Routing as described in the paper (conveyors-2019, sections 4.2 and 4.3.1), written down a second
// time and independently of the library: by coordinates, and by a test of every PE for a link.
#pragma once

#include <vector>

namespace boxcar::test {

class paper_routing {
 public:
  paper_routing(int hops, int pes, int group) : hops_(hops), pes_(pes), group_(group) {}

  // The stops of an item, one for each hop; the last stop is `to`.
  [[nodiscard]] std::vector<int> stops(int from, int to) const;

  // Returns whether a link of the hop (0, 1, ...) leads from one PE to the other.
  [[nodiscard]] bool linked(int hop, int from, int to) const;
  [[nodiscard]] std::vector<int> linked_from(int hop, int from) const;

 private:
  // r = n*row + column
  struct matrix_place {
    int row;
    int column;
  };
  // r = n*n*x + n*y + z
  struct tensor_place {
    int x;
    int y;
    int z;
  };

  [[nodiscard]] matrix_place in_matrix(int pe) const;
  [[nodiscard]] int rank(const matrix_place& p) const { return group_ * p.row + p.column; }
  [[nodiscard]] tensor_place in_tensor(int pe) const;
  [[nodiscard]] int rank(const tensor_place& p) const {
    return group_ * group_ * p.x + group_ * p.y + p.z;
  }

  int hops_;
  int pes_;
  int group_;
};

}  // namespace boxcar::test
