// The keys and values of a map that one PE has: a hash table with open addressing. The sizes of
// values are known at run time only, so that the table is compiled once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <boxcar/detail/hash_salt.hpp>

#include "row_heap.hpp"
#include "zeroed_pages.hpp"

namespace boxcar::python {

// Keys, each at the beginning of a packet: words of 64 bits, or rows of `bytes`, whose zeros at the
// end do not count.
struct packed_keys {
  const std::byte* first;
  std::size_t bytes;
  std::size_t stride;  // the size of a packet
  std::size_t count;

  [[nodiscard]] const std::byte* at(std::size_t i) const { return first + i * stride; }
  [[nodiscard]] packed_keys some(std::size_t from, std::size_t n) const {
    return {at(from), bytes, stride, n};
  }
};

class key_table {
 public:
  enum class kind : bool { words, rows };

  // `value_bytes` is the size of a value.
  key_table(kind k, std::size_t value_bytes);

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t value_bytes() const { return value_bytes_; }

  // Sets values[i] to the value of the i-th key, or to nullptr if the table does not have the key.
  // Values are aligned to 8 bytes, and stay in place until the next insertion or removal.
  void find(const packed_keys& keys, std::span<std::byte*> values) const;
  // Sets values[i] likewise. Inserts absent keys with zeros as the value, and is_new[i] tells
  // whether the i-th key was inserted. Throws system_error if there is no memory.
  void insert(const packed_keys& keys, std::span<std::byte*> values, std::span<bool> is_new);
  // Removes keys. Returns how many of them the table had.
  std::size_t erase(const packed_keys& keys);
  // Removes all keys, and gives the memory back. The table gets another salt.
  void clear();

  // The length of the longest row, without zeros at its end.
  [[nodiscard]] std::size_t longest_row() const;
  // Copies all keys and their values, in an order that depends on the salt of the table. A key gets
  // `key_bytes`: at least the length of the longest row, or 8 if keys are words.
  void copy(std::byte* keys, std::size_t key_bytes, std::byte* values) const;
  // Returns how many records the searches for all keys read: few for each key, in whatever order
  // the keys were inserted. For tests.
  [[nodiscard]] std::size_t probes() const;

 private:
  // A key on its way through a function. The word is the key, or the hash of the row, never 0.
  struct probe {
    std::uint64_t word;
    std::size_t place;  // where the search begins
    std::span<const std::byte> row;
  };
  template <kind K>
  [[nodiscard]] probe probe_of(const std::byte* key, std::size_t bytes) const;
  // Returns the record of the key, or the empty record for the key.
  template <kind K>
  [[nodiscard]] std::byte* search(const probe& p) const;
  // Calls `use(i, probe, record, has_key)` for all keys. The places of some are prefetched before
  // the first of them is read.
  template <typename Use>
  void for_each_key(const packed_keys& keys, const Use& use) const;
  template <kind K, typename Use>
  void for_each_key_of(const packed_keys& keys, const Use& use) const;

  // A record is a word, for rows the offset of the row, and the value. Records whose word is 0 are
  // empty; the key 0 has a record of its own.
  [[nodiscard]] std::byte* record(std::size_t place) const {
    return pages_.data() + place * record_bytes_;
  }
  [[nodiscard]] static std::uint64_t word_of(const std::byte* record);
  [[nodiscard]] std::span<const std::byte> row_of(const std::byte* record) const;
  [[nodiscard]] std::size_t place_of(std::uint64_t word) const;
  [[nodiscard]] std::byte* record_of_zero() const {
    return reinterpret_cast<std::byte*>(const_cast<std::uint64_t*>(zero_.data()));
  }
  void write_key(std::byte* record, const probe& p);
  void close_gap(std::size_t hole);
  void grow();
  void copy_living_rows();
  // Calls `use(record)` for all records with a key.
  template <typename Use>
  void for_each(const Use& use) const;

  kind kind_;
  std::size_t value_bytes_;
  std::size_t value_offset_;  // in a record
  std::size_t record_bytes_;
  std::size_t mask_;
  std::size_t size_ = 0;
  bool has_zero_ = false;
  std::uint64_t salt_ = boxcar::detail::next_hash_salt();
  std::vector<std::uint64_t> zero_;  // the record of the key 0
  zeroed_pages pages_;
  row_heap rows_;
};

}  // namespace boxcar::python
