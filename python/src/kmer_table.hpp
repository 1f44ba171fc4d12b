// How often each k-mer has come: a hash table with open addressing, for tables that are far larger
// than the caches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <span>

namespace boxcar::python {

class kmer_table {
 public:
  kmer_table();

  // Which PE of a world of so many has a k-mer: the one that has it as a key of group_by_key.
  static std::int32_t pe_of_kmer(std::uint64_t kmer, std::uint64_t pes);

  // Each of these has come once more. Counts end at the largest one. Throws system_error if there
  // is no memory.
  void add(std::span<const std::uint64_t> kmers);
  static constexpr std::uint32_t largest_count = std::numeric_limits<std::uint32_t>::max();

  // How often each of these has come.
  void find(std::span<const std::uint64_t> kmers, std::span<std::int64_t> counts) const;

  // How many different ones there are.
  [[nodiscard]] std::size_t size() const { return size_; }
  // And of those that have come so many times, for each such number.
  [[nodiscard]] std::map<std::uint64_t, std::uint64_t> spectrum() const;
  // Those that have come at least so often, in order; there must be as much room as there are such.
  void copy(std::uint64_t min_count, std::span<std::uint64_t> kmers,
            std::span<std::int64_t> counts) const;

 private:
  // Memory is what limits how much can be counted: so no padding.
  struct [[gnu::packed]] slot {
    std::uint64_t kmer;
    std::uint32_t count;  // 0: nothing is here
  };
  struct unmap {
    std::size_t bytes;
    void operator()(slot* slots) const;
  };
  using memory = std::unique_ptr<slot[], unmap>;
  static memory slots_for(std::size_t count);
  template <typename Visit>
  void for_each(std::uint64_t min_count, const Visit& visit) const;

  [[nodiscard]] std::size_t capacity() const { return mask_ + 1; }
  [[nodiscard]] std::size_t place_of(std::uint64_t kmer) const;
  [[nodiscard]] slot& find_from(std::size_t place, std::uint64_t kmer) const;
  void grow();

  std::size_t mask_;
  std::size_t size_ = 0;
  memory slots_;
};

}  // namespace boxcar::python
