// What a conveyor did and what it holds; the same structure for every kind and substrate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <vector>

namespace boxcar {

// What this PE sent over one hop.
struct hop_statistics {
  std::uint64_t local_buffers = 0;   // to PEs of this node
  std::uint64_t remote_buffers = 0;  // to PEs of other nodes
  std::uint64_t local_bytes = 0;
  std::uint64_t remote_bytes = 0;
  std::uint64_t capacity_bytes = 0;  // of all those buffers: what they could have carried

  [[nodiscard]] std::uint64_t buffers() const { return local_buffers + remote_buffers; }
  [[nodiscard]] std::uint64_t bytes() const { return local_bytes + remote_bytes; }
  // How full buffers left, 0 to 1; 0 if none did.
  [[nodiscard]] double fill() const {
    return capacity_bytes == 0 ? 0.0
                               : static_cast<double>(bytes()) / static_cast<double>(capacity_bytes);
  }
};

// Counts of one PE: of one session, or since the conveyor was made.
struct statistics {
  std::uint64_t begins = 0;
  std::uint64_t pushes = 0;   // that succeeded
  std::uint64_t blocked = 0;  // pushes that failed for lack of a buffer
  std::uint64_t pulls = 0;    // that succeeded
  std::uint64_t unpulls = 0;  // that succeeded
  std::uint64_t advances = 0;
  std::uint64_t syncs = 0;  // synchronisations of all PEs: begin, reset
  std::vector<hop_statistics> hops;
  std::size_t memory_bytes = 0;  // held now, buffers and all else, on behalf of this PE
};

statistics& operator+=(statistics& a, const statistics& b);  // memory_bytes: that of `b`
std::ostream& operator<<(std::ostream& out, const statistics& s);

}  // namespace boxcar
