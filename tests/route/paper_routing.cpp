#include "route/paper_routing.hpp"

namespace boxcar::test {

paper_routing::matrix_place paper_routing::in_matrix(int pe) const {
  return {pe / group_, pe % group_};
}

paper_routing::tensor_place paper_routing::in_tensor(int pe) const {
  return {pe / (group_ * group_), pe / group_ % group_, pe % group_};
}

std::vector<int> paper_routing::stops(int from, int to) const {
  if (hops_ == 1) return {to};
  if (hops_ == 2) {
    // The first hop is within the row of the source to the column of the destination, the second
    // within the column.
    return {rank(matrix_place{in_matrix(from).row, in_matrix(to).column}), to};
  }
  const auto [x, y, z] = in_tensor(from);
  const auto [to_x, to_y, to_z] = in_tensor(to);
  return {rank(tensor_place{x, y, to_y}), rank(tensor_place{to_x, to_y, y}), to};
}

bool paper_routing::linked(int hop, int from, int to) const {
  if (hops_ == 1) return true;
  if (hop != 1) return from / group_ == to / group_;
  if (hops_ == 2) return in_matrix(from).column == in_matrix(to).column;
  // The hop goes from (x,y,z) to (x',z,y).
  return in_tensor(to).y == in_tensor(from).z && in_tensor(to).z == in_tensor(from).y;
}

std::vector<int> paper_routing::linked_from(int hop, int from) const {
  std::vector<int> found;
  for (int to = 0; to < pes_; ++to) {
    if (linked(hop, from, to)) found.push_back(to);
  }
  return found;
}

}  // namespace boxcar::test
