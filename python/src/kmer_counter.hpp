// Counts k-mers distributed over the PEs: each k-mer is counted by its owner PE.
#pragma once

#include <cstdint>
#include <vector>

#include <boxcar/world.hpp>

#include "dna_letter.hpp"
#include "kmer.hpp"
#include "kmer_table.hpp"

namespace boxcar::python {

class kmer_counter {
 public:
  // k is 1 to longest_kmer. If `canonical`, a k-mer and its reverse complement count as the same.
  kmer_counter(int k, bool canonical) : canonical_(canonical), window_(k) {}

  // The letters of the next count: runs of bases, with gaps between them.
  [[nodiscard]] std::vector<dna_letter>& letters() { return letters_; }

  // Collective. Counts the k-mers of the letters of all PEs, and clears the letters. A run of bases
  // goes on from one call to the next.
  void count(const world& w);

  // The number of k-mers sent by this PE.
  [[nodiscard]] std::uint64_t sent() const { return sent_; }
  // The k-mers of this PE.
  [[nodiscard]] const kmer_table& table() const { return table_; }

 private:
  template <typename Send>
  void for_each_batch(const Send& send);

  bool canonical_;
  kmer_window window_;
  kmer_table table_;
  std::vector<dna_letter> letters_;
  std::uint64_t sent_ = 0;
};

}  // namespace boxcar::python
