// Random packets with some bits in common, which a codec can detect.
#pragma once

#include <cstddef>
#include <vector>

#include "support/dice.hpp"

namespace boxcar::test {

// Draws the bits that vary from packet to packet: none, all, those of some bytes, some of all bits,
// the low bits of integers of 8 bytes, or a single bit.
inline std::vector<std::byte> random_varying_bits(std::size_t packet_bytes, dice& d) {
  const int kind = d.below(6);
  const int low_bytes = d.below(8);
  std::vector<std::byte> varying(packet_bytes);
  for (std::size_t b = 0; b < packet_bytes; ++b) {
    if (kind == 1 || (kind == 2 && d.chance(50)) ||
        (kind == 4 && static_cast<int>(b % 8) < low_bytes)) {
      varying[b] = std::byte{0xff};
    } else if (kind == 3 || (kind == 4 && static_cast<int>(b % 8) == low_bytes)) {
      varying[b] = static_cast<std::byte>(d.next() & d.next());
    }
  }
  if (kind == 5) varying[d.next() % packet_bytes] = static_cast<std::byte>(1 << d.below(8));
  return varying;
}

inline void fill_randomly(std::byte* packets, std::size_t n, std::size_t packet_bytes, dice& d) {
  const std::vector<std::byte> varying = random_varying_bits(packet_bytes, d);
  std::vector<std::byte> common(packet_bytes);
  for (std::byte& b : common) b = static_cast<std::byte>(d.next());
  // Now and then all packets but one are the same.
  const bool one_differs = d.chance(10);
  const std::size_t different = d.next() % n;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t b = 0; b < packet_bytes; ++b) {
      const auto own =
          one_differs && i != different ? std::byte{0} : static_cast<std::byte>(d.next());
      packets[i * packet_bytes + b] = common[b] ^ (own & varying[b]);
    }
  }
}

}  // namespace boxcar::test
