// A link table gives the link of each destination PE in a large world by a look-up. The table holds
// only the neighbourhoods of PEs that items have gone to, and so grows with the PEs that are really
// in use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace boxcar::detail {

class link_table {
 public:
  // `find` returns the link for a PE below `pes`.
  link_table(int pes, std::function<std::uint16_t(int)> find);

  [[nodiscard]] std::uint16_t to(std::uint32_t pe) const {
    const std::uint16_t* chunk = chunks_[pe / in_a_chunk].get();
    if (chunk == nullptr) [[unlikely]]
      chunk = fill(pe / in_a_chunk);
    return chunk[pe % in_a_chunk];
  }

  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  static constexpr std::uint32_t in_a_chunk = 256;

  const std::uint16_t* fill(std::uint32_t chunk) const;

  int pes_;
  std::function<std::uint16_t(int)> find_;
  mutable std::vector<std::unique_ptr<std::uint16_t[]>> chunks_;  // null until the first access
};

}  // namespace boxcar::detail
