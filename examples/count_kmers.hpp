// The parallel part of kmer_count.cpp: every PE reads its share of a FASTA file and sends each
// k-mer to its owner PE. The owner counts the k-mer in a hash table of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tsl/robin_map.h>

#include <boxcar/boxcar.hpp>

#include "support/fasta_reader.hpp"
#include "support/kmer.hpp"
#include "support/progress.hpp"

namespace examples {

template <std::size_t Words>
struct kmer_counts {
  // The k-mers of the PE, canonical, and the count of each on all PEs.
  tsl::robin_map<kmer<Words>, std::uint64_t, kmer_hash, kmer_equal> table;
  // The sum of the hashes of all k-mers sent by the PE: verifies that all were counted.
  std::uint64_t sent = 0;
};

// Collective. Counts the k-mers that begin in the share of `reader` on each PE. Precondition: Words
// is words_of_kmer(k).
template <std::size_t Words>
kmer_counts<Words> count_kmers(boxcar::world& w, fasta_reader& reader, int k,
                               const boxcar::conveyor_options& options = {}) {
  kmer_counts<Words> counts;
  const int pes = w.size();
  progress display(w, "kmer_count", reader.bytes_to_read());
  boxcar::exchange<kmer<Words>>(
      w,
      [&](auto& out) {
        for_each_kmer<Words>(reader, k, [&](const kmer<Words>& word) {
          const std::uint64_t hash = hash_of(word);
          out.push(word, owner_of_hash(hash, pes));
          counts.sent += hash;
          display.at(reader.bytes_read());
        });
      },
      [&](const kmer<Words>& word) { ++counts.table[word]; }, options);
  return counts;
}

}  // namespace examples
