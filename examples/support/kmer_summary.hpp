// The results of k-mer counting, over all PEs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <boxcar/world.hpp>

#include "support/spectrum.hpp"

namespace examples {

class fasta_reader;
template <std::size_t Words>
struct kmer_counts;

// Copied as bytes between PEs.
struct kmer_summary {
  std::uint64_t sequences = 0;
  std::uint64_t bases = 0;
  std::uint64_t ambiguous_letters = 0;
  std::uint64_t kmers = 0;
  std::uint64_t distinct = 0;
  spectrum occurrences;

  // Throws if the file holds no sequence, or not as many distinct k-mers as expected, 0 for any.
  void check(const std::string& file, std::uint64_t expected_distinct) const;
  void print() const;
};

// Collective. Throws std::runtime_error if not every sent k-mer has been counted.
template <std::size_t Words>
kmer_summary summarise(boxcar::world& w, const fasta_reader& reader,
                       const kmer_counts<Words>& counts);

}  // namespace examples
