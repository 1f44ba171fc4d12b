// What a conveyor did and what it holds; the same structure for every kind and substrate.
#pragma once

#include <boxcar/detail/cpp20.hpp>

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
  std::uint64_t remote_bytes = 0;    // as sent, be it compressed or not
  std::uint64_t capacity_bytes = 0;  // of all those buffers: what they could have carried
  // By how much compression made remote_bytes less. Below 0 if it was in vain: where buffers may be
  // compressed, each tells whether it is, by some bytes more.
  std::int64_t saved_bytes = 0;

  [[nodiscard]] std::uint64_t buffers() const { return local_buffers + remote_buffers; }
  [[nodiscard]] std::uint64_t bytes() const { return local_bytes + remote_bytes; }
  // Bytes of the packets in all those buffers.
  [[nodiscard]] std::uint64_t packet_bytes() const {
    return bytes() + static_cast<std::uint64_t>(saved_bytes);
  }
  // How full buffers left, 0 to 1; 0 if none did.
  [[nodiscard]] double fill() const {
    if (capacity_bytes == 0) return 0.0;
    return static_cast<double>(packet_bytes()) / static_cast<double>(capacity_bytes);
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

// The same of both ways, where queries have replies.
struct inquiry_statistics {
  statistics queries;
  statistics replies;
};

statistics& operator+=(statistics& a, const statistics& b);  // memory_bytes: that of `b`
std::ostream& operator<<(std::ostream& out, const statistics& s);

}  // namespace boxcar
