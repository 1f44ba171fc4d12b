// The PEs as places of an N-dimensional grid with coordinates; the last coordinate varies fastest.
#pragma once

#include <cstddef>
#include <vector>

#include <boxcar/grid_sizes.hpp>

namespace boxcar::detail {

class grid {
 public:
  // Throws argument_error, with sizes that would work, unless the grid has exactly `pes` places. A
  // first size of 0 is chosen; then the last slab may be incomplete: its last places hold no PE.
  grid(int pes, const grid_sizes& wanted);

  [[nodiscard]] int pes() const { return pes_; }
  [[nodiscard]] int dimensions() const { return static_cast<int>(sizes_.size()); }
  [[nodiscard]] const grid_sizes& sizes() const { return sizes_; }
  [[nodiscard]] int size(int d) const { return sizes_[static_cast<std::size_t>(d)]; }
  [[nodiscard]] bool complete() const { return strides_[0] * sizes_[0] == pes_; }

  [[nodiscard]] int coordinate(int pe, int d) const { return pe / stride(d) % size(d); }
  // Returns the place of `pe` with coordinate d replaced.
  [[nodiscard]] int moved(int pe, int d, int coordinate_there) const {
    return pe + (coordinate_there - coordinate(pe, d)) * stride(d);
  }
  // Returns the last dimension up to `last` in which `a` and `b` differ, or -1.
  [[nodiscard]] int last_difference(int a, int b, int last) const {
    int d = last;
    while (d >= 0 && coordinate(a, d) == coordinate(b, d)) --d;
    return d;
  }
  // Returns the first dimension in which `a` and `b` differ. Precondition: a != b.
  [[nodiscard]] int first_difference(int a, int b) const {
    int d = 0;
    while (coordinate(a, d) == coordinate(b, d)) ++d;
    return d;
  }

 private:
  [[nodiscard]] int stride(int d) const { return strides_[static_cast<std::size_t>(d)]; }

  int pes_;
  grid_sizes sizes_;
  std::vector<int> strides_;
};

}  // namespace boxcar::detail
