// PEs as the places of an N-dimensional grid: coordinates, of which the last runs fastest.
#pragma once

#include <cstddef>
#include <vector>

#include <boxcar/grid_sizes.hpp>

namespace boxcar::detail {

class grid {
 public:
  // Throws argument_error, with what would work, unless the sizes make so many places. A first size
  // of 0 is chosen, and the last slab may then be incomplete: its last places hold no PE.
  grid(int pes, const grid_sizes& wanted);

  [[nodiscard]] int pes() const { return pes_; }
  [[nodiscard]] int dimensions() const { return static_cast<int>(sizes_.size()); }
  [[nodiscard]] const grid_sizes& sizes() const { return sizes_; }
  [[nodiscard]] int size(int d) const { return sizes_[static_cast<std::size_t>(d)]; }
  [[nodiscard]] bool complete() const { return strides_[0] * sizes_[0] == pes_; }

  [[nodiscard]] int coordinate(int pe, int d) const { return pe / stride(d) % size(d); }
  // The place that differs from that of `pe` in one coordinate at most.
  [[nodiscard]] int moved(int pe, int d, int coordinate_there) const {
    return pe + (coordinate_there - coordinate(pe, d)) * stride(d);
  }
  // The last dimension up to `last` in which they differ, or -1.
  [[nodiscard]] int last_difference(int a, int b, int last) const {
    int d = last;
    while (d >= 0 && coordinate(a, d) == coordinate(b, d)) --d;
    return d;
  }
  // The first dimension in which they differ; they must not be equal.
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
