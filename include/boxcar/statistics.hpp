// The statistics count the activity and the memory of a conveyor; the structure is the same for
// every kind and substrate.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <vector>

namespace boxcar {

// The buffers that a PE sent over a hop.
struct hop_statistics {
  std::uint64_t local_buffers = 0;   // to PEs of the same node
  std::uint64_t remote_buffers = 0;  // to PEs of other nodes
  std::uint64_t local_bytes = 0;
  std::uint64_t remote_bytes = 0;    // as sent, be it compressed or not
  std::uint64_t capacity_bytes = 0;  // the capacity of all sent buffers
  // The bytes by which compression reduced remote_bytes. Negative if compression was in vain: where
  // buffers may be compressed, each buffer has a few more bytes to mark compressed buffers.
  std::int64_t saved_bytes = 0;

  [[nodiscard]] std::uint64_t buffers() const { return local_buffers + remote_buffers; }
  [[nodiscard]] std::uint64_t bytes() const { return local_bytes + remote_bytes; }
  // Returns the bytes of the packets in all sent buffers.
  [[nodiscard]] std::uint64_t packet_bytes() const {
    return bytes() + static_cast<std::uint64_t>(saved_bytes);
  }
  // Returns how full buffers were when sent, 0 to 1; 0 if none was sent.
  [[nodiscard]] double fill() const {
    if (capacity_bytes == 0) return 0.0;
    return static_cast<double>(packet_bytes()) / static_cast<double>(capacity_bytes);
  }
};

// The counts of a PE: of a session, or since construction of the conveyor.
struct statistics {
  std::uint64_t begins = 0;
  std::uint64_t pushes = 0;   // successful pushes
  std::uint64_t blocked = 0;  // pushes that failed for lack of a buffer
  std::uint64_t pulls = 0;    // successful pulls
  std::uint64_t unpulls = 0;  // successful unpulls
  std::uint64_t advances = 0;
  std::uint64_t syncs = 0;  // synchronisations of all PEs: begin, reset
  std::vector<hop_statistics> hops;
  std::size_t memory_bytes = 0;  // held now, buffers and all else, on behalf of the PE
};

// The statistics of both directions of an exchange with replies.
struct inquiry_statistics {
  statistics queries;
  statistics replies;
};

statistics& operator+=(statistics& a, const statistics& b);  // memory_bytes: taken from `b`
std::ostream& operator<<(std::ostream& out, const statistics& s);

}  // namespace boxcar
