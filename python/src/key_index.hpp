// Numbers for keys: equal keys get the same number, the first key 0, the next different one 1, and
// so on. What grouping, counting and joining are made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arrays.hpp"

namespace boxcar::python {

// Keys of numbers are words of 64 bits, of which equal keys have the same: 0.0 and -0.0 do, and
// all that are not a number. Other keys are rows of bytes.
class key_index {
 public:
  // `type` of numbers, or "" for rows of `row_bytes`.
  key_index(std::string_view type, std::size_t row_bytes);

  // ids[i] becomes the number of the i-th of these keys; new ones are added. May be called again
  // and again.
  void add(const read_bytes& keys, std::span<std::uint32_t> ids);
  // The same, but keys that are not there get `none`.
  void find(const read_bytes& keys, std::span<std::uint32_t> ids) const;
  static constexpr std::uint32_t none = ~std::uint32_t(0);

  [[nodiscard]] std::size_t size() const { return size_; }
  // The position of the first key of each number, among all that were added.
  [[nodiscard]] std::span<const std::uint64_t> firsts() const { return firsts_; }

 private:
  struct slot {
    std::uint64_t word;  // of the key, or the hash of the row
    std::uint32_t id = none;
  };
  template <typename Keys>
  void add_keys(const Keys& keys, std::span<std::uint32_t> ids);
  template <typename Keys>
  void find_keys(const Keys& keys, std::span<std::uint32_t> ids) const;
  // Where the key is, or where it would go.
  template <typename Keys>
  [[nodiscard]] std::size_t place_of(const Keys& keys, std::size_t i, std::uint64_t hash) const;
  void grow();

  std::string type_;
  std::size_t row_bytes_;
  std::size_t mask_;
  std::size_t size_ = 0;
  std::uint64_t added_ = 0;  // keys so far
  std::vector<slot> slots_;
  std::vector<std::uint64_t> firsts_;
  std::vector<std::byte> rows_;  // of each number, if keys are rows
};

// to[i] becomes the PE that the i-th key belongs to; equal keys belong to the same.
void spread_keys(std::string_view type, const read_bytes& keys, std::size_t row_bytes,
                 std::uint64_t pes, std::span<std::int32_t> to);

}  // namespace boxcar::python
