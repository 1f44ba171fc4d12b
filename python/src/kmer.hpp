// k-mers: words of k bases, 1 to 32, as numbers of two bits for each base, the first highest; so
// their order is alphabetical. A word and its reverse complement are the same piece of DNA, read
// from either strand: the smaller number of the two, the canonical k-mer, stands for both.
#pragma once

#include <algorithm>
#include <cstdint>

#include "dna_letter.hpp"

namespace boxcar::python {

inline constexpr int longest_kmer = 32;

// The last k bases of a run.
class kmer_window {
 public:
  explicit kmer_window(int k)
      : k_(k), mask_(~std::uint64_t(0) >> (2 * (longest_kmer - k))), top_(2 * (k - 1)) {}

  void add(dna_letter letter) {
    if (letter >= gap) {
      bases_ = 0;
      return;
    }
    forward_ = (forward_ << 2 | letter) & mask_;
    reverse_ = reverse_ >> 2 | static_cast<std::uint64_t>(3 - letter) << top_;
    ++bases_;
  }
  [[nodiscard]] bool has_kmer() const { return bases_ >= k_; }
  [[nodiscard]] std::uint64_t forward() const { return forward_; }
  [[nodiscard]] std::uint64_t canonical() const { return std::min(forward_, reverse_); }

 private:
  std::int64_t k_;
  std::uint64_t mask_;
  int top_;
  std::int64_t bases_ = 0;  // since the last gap
  std::uint64_t forward_ = 0;
  std::uint64_t reverse_ = 0;
};

inline std::uint64_t canonical_kmer(std::uint64_t kmer, int k) {
  std::uint64_t reverse = 0;
  std::uint64_t rest = kmer;
  for (int i = 0; i < k; ++i, rest >>= 2) reverse = reverse << 2 | (3 - (rest & 3));
  return std::min(kmer, reverse);
}

}  // namespace boxcar::python
