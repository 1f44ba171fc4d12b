// The de Bruijn graph of a genome: a node is a canonical k-mer, and an edge is a canonical word of
// k + 1 bases, which joins the k-mers at its two ends. k is odd, so no k-mer is its own reverse
// complement.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace examples {

// The bases by which a k-mer is extended in the genome: bits 0 to 3 by A, C, G and T behind the
// k-mer, bits 4 to 7 before the k-mer.
using extensions = std::uint8_t;

// One end of an edge: a k-mer, and the bit of the extension that leads to the other end.
struct edge_end {
  std::uint64_t kmer;
  extensions bit;

  // Returns whether no other edge leaves the k-mer on this side.
  [[nodiscard]] bool is_alone(extensions all) const {
    return std::has_single_bit(static_cast<unsigned>(all & (bit > 15 ? 0xf0 : 0x0f)));
  }
};

[[nodiscard]] inline std::uint64_t reverse_complement(std::uint64_t kmer, int k) {
  std::uint64_t reverse = 0;
  for (int i = 0; i < k; ++i, kmer >>= 2) reverse = reverse << 2 | (3 - (kmer & 3));
  return reverse;
}

// Returns the end of an edge with the k-mer `forward`, which `base` extends behind the k-mer.
[[nodiscard]] inline edge_end end_behind(std::uint64_t forward, std::uint64_t base, int k) {
  const std::uint64_t reverse = reverse_complement(forward, k);
  if (forward < reverse) return {forward, static_cast<extensions>(1U << base)};
  return {reverse, static_cast<extensions>(16U << (3 - base))};
}

// Returns both ends of an edge, a word of k + 1 bases.
[[nodiscard]] inline std::array<edge_end, 2> ends_of(std::uint64_t edge, int k) {
  const std::uint64_t back = reverse_complement(edge, k + 1);
  return {end_behind(edge >> 2, edge & 3, k), end_behind(back >> 2, back & 3, k)};
}

}  // namespace examples
