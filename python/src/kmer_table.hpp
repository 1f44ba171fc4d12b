// How often each k-mer has come: a hash table with open addressing, for tables that are far larger
// than the caches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>

namespace boxcar::python {

class kmer_table {
 public:
  // Of a PE of a world of so many, of which it has the k-mers that `pe_of_kmer` tells.
  explicit kmer_table(std::uint64_t pes);

  // Which PE has a k-mer: the same one that has it as a key of group_by_key.
  static std::int32_t pe_of_kmer(std::uint64_t kmer, std::uint64_t pes);

  // Each of these has come once more.
  void add(std::span<const std::uint64_t> kmers);

  // How often each of these has come.
  void find(std::span<const std::uint64_t> kmers, std::span<std::uint64_t> counts) const;

  // How many different ones there are.
  [[nodiscard]] std::size_t size() const { return size_; }
  // And of those that have come so many times, for each such number.
  [[nodiscard]] std::map<std::uint64_t, std::uint64_t> spectrum() const;
  // Those that have come at least so often; there must be as much room as there are such. The order
  // is no particular one.
  void copy(std::uint64_t min_count, std::span<std::uint64_t> kmers,
            std::span<std::uint64_t> counts) const;

 private:
  struct slot {
    std::uint64_t kmer;
    std::uint64_t count;  // 0: nothing is here
  };
  struct unmap {
    std::size_t bytes;
    void operator()(slot* slots) const;
  };
  using memory = std::unique_ptr<slot[], unmap>;
  static memory slots_for(std::size_t count);

  [[nodiscard]] std::size_t place_of(std::uint64_t kmer) const;
  [[nodiscard]] slot& find_from(std::size_t place, std::uint64_t kmer) const;
  [[nodiscard]] std::span<const slot> all() const { return {slots_.get(), capacity_}; }
  void grow();

  std::uint64_t pes_;
  std::size_t capacity_;
  std::size_t size_ = 0;
  memory slots_;
};

}  // namespace boxcar::python
