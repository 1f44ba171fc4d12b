// The de Bruijn graph of a genome on one PE, and a walk along its unitigs, to check a result.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "support/de_bruijn.hpp"
#include "support/fasta_reader.hpp"
#include "support/kmer.hpp"

namespace examples {

struct unitig_summary {
  std::uint64_t unitigs = 0;
  std::uint64_t longest = 0;  // the k-mers of the longest unitig

  void add(std::uint64_t kmers) {
    ++unitigs;
    longest = std::max(longest, kmers);
  }
  [[nodiscard]] std::uint64_t bases_of_longest(int k) const {
    return longest == 0 ? 0 : longest + static_cast<std::uint64_t>(k) - 1;
  }
  friend bool operator==(const unitig_summary&, const unitig_summary&) = default;
};

class serial_graph {
 public:
  serial_graph(const std::string& path, int k) : k_(k) {
    fasta_reader kmers(path, {0, 1});
    for_each_kmer(kmers, k, [&](std::uint64_t kmer) { extensions_[kmer]; });
    fasta_reader words(path, {0, 1});
    for_each_kmer(words, k + 1, [&](std::uint64_t edge) { edges_.insert(edge); });
    for (const std::uint64_t edge : edges_) {
      for (const edge_end& end : ends_of(edge, k)) extensions_[end.kmer] |= end.bit;
    }
  }
  [[nodiscard]] std::uint64_t nodes() const { return extensions_.size(); }
  [[nodiscard]] std::uint64_t edges() const { return edges_.size(); }

  // Walks from each k-mer that has not been seen, in both directions, as far as there is no branch.
  [[nodiscard]] unitig_summary walk() const {
    unitig_summary all;
    std::unordered_set<std::uint64_t, kmer_hash> seen;
    for (const auto& [kmer, of_kmer] : extensions_) {
      if (!seen.insert(kmer).second) continue;
      std::uint64_t kmers = 1;
      for (std::uint64_t at : {kmer, reverse_complement(kmer, k_)}) {
        while (step(at) && seen.insert(canonical(at)).second) ++kmers;
      }
      all.add(kmers);
    }
    return all;
  }

 private:
  [[nodiscard]] std::uint64_t canonical(std::uint64_t kmer) const {
    return std::min(kmer, reverse_complement(kmer, k_));
  }
  // Returns the extensions behind a k-mer, as it is read in the direction of the walk.
  [[nodiscard]] unsigned behind(std::uint64_t kmer) const {
    const unsigned all = extensions_.at(canonical(kmer));
    if (canonical(kmer) == kmer) return all & 15;
    unsigned complements = 0;
    for (unsigned base = 0; base != 4; ++base) complements |= (all >> (4 + base) & 1) << (3 - base);
    return complements;
  }
  // Goes on to the next k-mer, or returns false at a branch or an end.
  bool step(std::uint64_t& at) const {
    const unsigned bases = behind(at);
    if (!std::has_single_bit(bases)) return false;
    const std::uint64_t mask = ~std::uint64_t{0} >> (64 - 2 * k_);
    const auto base = static_cast<std::uint64_t>(std::countr_zero(bases));
    const std::uint64_t next = (at << 2 | base) & mask;
    if (!std::has_single_bit(behind(reverse_complement(next, k_)))) return false;
    at = next;
    return true;
  }

  int k_;
  std::unordered_set<std::uint64_t, kmer_hash> edges_;
  std::unordered_map<std::uint64_t, extensions, kmer_hash> extensions_;
};

}  // namespace examples
