#include "kmer_text.hpp"

#include <cstddef>

#include "dna_letter.hpp"

namespace boxcar::python {

std::optional<std::uint64_t> encode_kmers(std::string_view text, int k,
                                          std::span<std::uint64_t> kmers) {
  const char* letter = text.data();
  for (std::size_t i = 0; i < kmers.size(); ++i) {
    kmers[i] = 0;
    for (int place = 0; place < k; ++place) {
      const dna_letter base = dna_letter_of(*letter++);
      if (base >= gap) return i;
      kmers[i] = kmers[i] << 2 | base;
    }
  }
  return std::nullopt;
}

void decode_kmers(std::span<const std::uint64_t> kmers, int k, std::span<char> text) {
  char* letter = text.data();
  for (const std::uint64_t kmer : kmers) {
    for (int place = k - 1; place >= 0; --place) *letter++ = "ACGT"[(kmer >> (2 * place)) & 3];
  }
}

}  // namespace boxcar::python
