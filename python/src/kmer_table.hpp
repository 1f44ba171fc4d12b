// Counts the occurrences of each k-mer: a hash table with open addressing, for tables that are far
// larger than the caches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>

#include "kmer.hpp"
#include "zeroed_pages.hpp"

namespace boxcar::python {

inline constexpr std::uint32_t largest_kmer_count = std::numeric_limits<std::uint32_t>::max();

template <std::size_t Words>
class kmer_table {
 public:
  using code = kmer_code<Words>;

  kmer_table();

  // The PE of a k-mer in a world of `pes` PEs: the PE of the k-mer as a key of group_by_key.
  static std::int32_t pe_of_kmer(code kmer, std::uint64_t pes);

  // Counts one more occurrence of each of the k-mers. Counts saturate at largest_kmer_count. Throws
  // system_error if there is no memory.
  void add(std::span<const code> kmers);

  // Returns the counts of the k-mers.
  void find(std::span<const code> kmers, std::span<std::int64_t> counts) const;

  // The number of distinct k-mers.
  [[nodiscard]] std::size_t size() const { return size_; }
  // The number of distinct k-mers for each count that occurs.
  [[nodiscard]] std::map<std::uint64_t, std::uint64_t> spectrum() const;
  // Copies the k-mers that have occurred at least `min_count` times, in order. Precondition: the
  // spans have room for all of them.
  void copy(std::uint64_t min_count, std::span<code> kmers, std::span<std::int64_t> counts) const;

 private:
  // Memory limits the size of the table: so there is no padding.
  struct [[gnu::packed]] slot {
    code kmer;
    std::uint32_t count;  // 0: nothing is here
  };
  class highest_digit;

  template <typename Visit>
  void for_each(std::uint64_t min_count, const Visit& visit) const;

  [[nodiscard]] slot* slots() const { return reinterpret_cast<slot*>(pages_.data()); }
  [[nodiscard]] std::size_t capacity() const { return mask_ + 1; }
  [[nodiscard]] std::size_t place_of(code kmer) const;
  [[nodiscard]] slot& find_from(std::size_t place, code kmer) const;
  void grow();

  std::size_t mask_;
  std::size_t size_ = 0;
  zeroed_pages pages_;  // of the slots
};

}  // namespace boxcar::python
