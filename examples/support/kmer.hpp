// k-mers: words of k bases, 1 to 32, as numbers of two bits per base. A word and its reverse
// complement are the same piece of DNA, read from either strand: the smaller number of the two, the
// canonical k-mer, stands for both.
#pragma once

#include <cstddef>
#include <cstdint>

#include "support/fasta_reader.hpp"
#include "support/random.hpp"

namespace examples {

constexpr int longest_kmer = 32;

// The last k bases of a run, with a bit for each that belongs to a share.
class kmer_window {
 public:
  explicit kmer_window(int k)
      : mask_(~std::uint64_t{0} >> (2 * (longest_kmer - k))),
        top_(2 * (k - 1)),
        first_(std::uint64_t{1} << (k - 1)) {}

  void add(int base, bool in_share) {
    const auto bits = static_cast<std::uint64_t>(base);
    forward_ = (forward_ << 2 | bits) & mask_;
    reverse_ = reverse_ >> 2 | (3 - bits) << top_;
    in_share_ = in_share_ << 1 | static_cast<std::uint64_t>(in_share);
  }
  // The run has ended.
  void clear() { in_share_ = 0; }

  // Returns whether there is a k-mer, and its first base belongs to the share.
  [[nodiscard]] bool begins_in_share() const { return (in_share_ & first_) != 0; }
  // Returns whether any base belongs to the share.
  [[nodiscard]] bool touches_share() const { return (in_share_ & (2 * first_ - 1)) != 0; }
  [[nodiscard]] std::uint64_t canonical() const {
    return forward_ < reverse_ ? forward_ : reverse_;
  }

 private:
  std::uint64_t mask_;
  int top_;
  std::uint64_t first_;
  std::uint64_t forward_ = 0;
  std::uint64_t reverse_ = 0;
  std::uint64_t in_share_ = 0;  // a bit per base of the run, the latest lowest
};

// Calls `visit` with each canonical k-mer that begins in the reader's share, in order.
template <typename Visit>
void for_each_kmer(fasta_reader& reader, int k, Visit&& visit) {
  kmer_window window(k);
  while (!reader.beyond_share() || window.touches_share()) {
    const int letter = reader.next();
    if (letter == fasta_reader::end) return;
    if (letter == fasta_reader::gap) {
      window.clear();
    } else {
      window.add(letter, reader.in_share());
      if (window.begins_in_share()) visit(window.canonical());
    }
  }
}

// The PE that counts a k-mer. The high bits of the mixed number decide; hash tables use the low
// bits.
inline int owner_of(std::uint64_t kmer, int pes) {
  return static_cast<int>(
      philox_below(static_cast<std::uint32_t>(pes), static_cast<std::uint32_t>(mix(kmer) >> 32)));
}

struct kmer_hash {
  std::size_t operator()(std::uint64_t kmer) const { return mix(kmer); }
};

}  // namespace examples
