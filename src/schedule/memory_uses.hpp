// Tracks the last users of memory among the vertices of a graph, and derives dependencies: a reader
// depends on the last writer; a writer depends on the last writer and on all readers since.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace boxcar::detail {

class memory_uses {
 public:
  // Adds to `after` the vertices on which the vertex depends.
  void read(std::span<const std::byte> there, int vertex, std::vector<int>& after);
  void write(std::span<const std::byte> there, int vertex, std::vector<int>& after);

 private:
  static constexpr int nobody = -1;
  // A range of memory; the key in the map is its beginning.
  struct piece {
    std::uintptr_t end = 0;
    int written_by = nobody;
    std::vector<int> read_by;
  };

  // Splits the piece that contains the address, so that a piece begins there.
  void split(std::uintptr_t at);

  std::map<std::uintptr_t, piece> pieces_;
};

}  // namespace boxcar::detail
