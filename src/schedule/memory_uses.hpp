// Which vertices of a graph have used memory last, so that the next ones know what they depend on:
// whoever reads waits for what wrote there, whoever writes for what wrote and what read there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace boxcar::detail {

class memory_uses {
 public:
  // Adds to `after` what the vertex depends on.
  void read(std::span<const std::byte> there, int vertex, std::vector<int>& after);
  void write(std::span<const std::byte> there, int vertex, std::vector<int>& after);

 private:
  static constexpr int nobody = -1;
  // From where it stands in the map.
  struct piece {
    std::uintptr_t end = 0;
    int written_by = nobody;
    std::vector<int> read_by;
  };

  // From now on a piece begins there, if there is any.
  void split(std::uintptr_t at);

  std::map<std::uintptr_t, piece> pieces_;
};

}  // namespace boxcar::detail
