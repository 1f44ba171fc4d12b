// Numbers for keys: equal keys get the same number, the first key 0, the next different key 1, and
// so on. The basis of grouping, counting and joining.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boxcar/detail/hash_salt.hpp>

#include "arrays.hpp"

namespace boxcar::python {

// Numeric keys are words of 64 bits, and equal keys have the same word: so do 0.0 and -0.0, and all
// NaNs. Other keys are rows of bytes.
class key_index {
 public:
  // `type` of numbers, or "" for rows of `row_bytes`.
  key_index(std::string_view type, std::size_t row_bytes);

  // Sets ids[i] to the number of the i-th key, and adds new keys. May be called again and again.
  void add(const read_bytes& keys, std::span<std::uint32_t> ids);
  // Sets ids[i] likewise, but to `none` for unknown keys.
  void find(const read_bytes& keys, std::span<std::uint32_t> ids) const;
  static constexpr std::uint32_t none = ~std::uint32_t(0);

  [[nodiscard]] std::size_t size() const { return size_; }
  // The position of the first key of each number, among all added keys.
  [[nodiscard]] std::span<const std::uint64_t> firsts() const { return firsts_; }
  // Returns how many slots the searches for all keys read. For tests.
  [[nodiscard]] std::size_t probes() const;

 private:
  struct slot {
    std::uint64_t word;  // the key, or the hash of the row
    std::uint32_t id = none;
  };
  template <typename Keys>
  void add_keys(const Keys& keys, std::span<std::uint32_t> ids);
  template <typename Keys>
  void find_keys(const Keys& keys, std::span<std::uint32_t> ids) const;
  // The slot of the key, or the slot for a new key.
  template <typename Keys>
  [[nodiscard]] std::size_t place_of(const Keys& keys, std::size_t i, std::uint64_t hash) const;
  void grow();
  // The place at which the search for the key of an occupied slot begins.
  [[nodiscard]] std::size_t home_of(const slot& s) const;

  std::string type_;
  std::size_t row_bytes_;
  std::uint64_t salt_ = boxcar::detail::next_hash_salt();
  std::size_t mask_;
  std::size_t size_ = 0;
  std::uint64_t added_ = 0;  // keys so far
  std::vector<slot> slots_;
  std::vector<std::uint64_t> firsts_;
  std::vector<std::byte> rows_;  // of each number, if keys are rows
};

// Sets to[i] to the PE of the i-th key; equal keys have the same PE.
void spread_keys(std::string_view type, const read_bytes& keys, std::size_t row_bytes,
                 std::uint64_t pes, std::span<std::int32_t> to);
// Sets hashes[i] to the hash of the i-th key; equal keys have the same hash, on all PEs.
void hash_keys(std::string_view type, const read_bytes& keys, std::size_t row_bytes,
               std::span<std::uint64_t> hashes);

}  // namespace boxcar::python
