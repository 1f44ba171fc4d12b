// The parallel part of kmer_count.cpp: every PE reads its share of a FASTA file and sends each
// k-mer to its owner PE. The owner counts the k-mer in a hash table of its own.
#pragma once

#include <tsl/robin_map.h>

#include <boxcar/boxcar.hpp>

#include "support/fasta_reader.hpp"
#include "support/kmer.hpp"
#include "support/progress.hpp"

namespace examples {

struct kmer_counts {
  // The k-mers of the PE, canonical, and the count of each on all PEs.
  tsl::robin_map<std::uint64_t, std::uint64_t, kmer_hash> table;
  // The sum of mix(k-mer) over all k-mers sent by the PE: verifies that all were counted.
  std::uint64_t sent = 0;
};

// Collective. Counts the k-mers that begin in the share of `reader` on each PE.
inline kmer_counts count_kmers(boxcar::world& w, fasta_reader& reader, int k,
                               const boxcar::conveyor_options& options = {}) {
  kmer_counts counts;
  progress display(w, "kmer_count", reader.bytes_to_read());
  boxcar::exchange<std::uint64_t>(
      w,
      [&](auto& out) {
        for_each_kmer(reader, k, [&](std::uint64_t kmer) {
          out.push(kmer, owner_of(kmer, w.size()));
          counts.sent += mix(kmer);
          display.at(reader.bytes_read());
        });
      },
      [&](std::uint64_t kmer) { ++counts.table[kmer]; }, options);
  return counts;
}

}  // namespace examples
