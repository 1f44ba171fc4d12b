// Counts k-mers distributed over the PEs: each k-mer is counted by its owner PE.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include <boxcar/world.hpp>

#include "dna_letter.hpp"

namespace boxcar::python {

// The counter of k-mers of any length. Codes of k-mers are contiguous words, see kmer.hpp.
class kmer_counter {
 public:
  kmer_counter() = default;
  kmer_counter(const kmer_counter&) = delete;
  kmer_counter& operator=(const kmer_counter&) = delete;
  virtual ~kmer_counter() = default;

  // The letters of the next count: runs of bases, with gaps between them.
  [[nodiscard]] std::vector<dna_letter>& letters() { return letters_; }

  // Collective. Counts the k-mers of the letters of all PEs, and clears the letters. A run of bases
  // goes on from one call to the next.
  virtual void count(const world& w) = 0;

  // The number of k-mers sent by this PE.
  [[nodiscard]] std::uint64_t sent() const { return sent_; }

  // The functions of kmer_table, for the k-mers of this PE.
  [[nodiscard]] virtual std::size_t size() const = 0;
  [[nodiscard]] virtual std::map<std::uint64_t, std::uint64_t> spectrum() const = 0;
  virtual void copy(std::uint64_t min_count, std::span<std::uint64_t> codes,
                    std::span<std::int64_t> counts) const = 0;
  virtual void find(std::span<const std::uint64_t> codes, std::span<std::int64_t> counts) const = 0;

 protected:
  std::vector<dna_letter> letters_;
  std::uint64_t sent_ = 0;
};

// Returns a counter. k is 1 to longest_kmer. If `canonical`, a k-mer and its reverse complement
// count as the same.
std::unique_ptr<kmer_counter> make_kmer_counter(int k, bool canonical);

}  // namespace boxcar::python
