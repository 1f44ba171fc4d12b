// The keys of an array with their hashes: numbers are words of 64 bits, and other keys are rows of
// bytes. The owner of a key follows from the hash without a salt.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "arrays.hpp"
#include "hash.hpp"
#include "key_words.hpp"

namespace boxcar::python {

// Keys as words: the word is the key.
template <typename T>
struct number_keys {
  std::span<const T> keys;
  std::uint64_t salt;

  [[nodiscard]] std::size_t count() const { return keys.size(); }
  [[nodiscard]] std::uint64_t hash(std::size_t i) const {
    return hash_of_word(word_of_key(keys[i]), salt);
  }
  [[nodiscard]] std::uint64_t word(std::size_t i, std::uint64_t /*hash*/) const {
    return word_of_key(keys[i]);
  }
  [[nodiscard]] static bool is_same(std::size_t /*i*/, const std::byte* /*known*/) { return true; }
  static constexpr std::size_t kept_bytes = 0;  // of a key, besides the word
  [[nodiscard]] static const std::byte* row(std::size_t /*i*/) { return nullptr; }

  // The form in which a key travels.
  [[nodiscard]] static std::size_t sent_bytes() { return sizeof(std::uint64_t); }
  void write(std::size_t i, std::byte* into) const {
    const std::uint64_t word = word_of_key(keys[i]);
    std::memcpy(into, &word, sizeof word);
  }
};

// Keys as rows of bytes, whose hash takes the place of the word. Zeros at the end of a row do not
// change its hash, so that a text belongs to the same PE whatever the width of its array.
struct row_keys {
  std::span<const std::byte> rows;
  std::size_t kept_bytes;  // the size of a row
  std::uint64_t salt;

  [[nodiscard]] std::size_t count() const { return rows.size() / kept_bytes; }
  [[nodiscard]] const std::byte* row(std::size_t i) const { return rows.data() + i * kept_bytes; }
  [[nodiscard]] std::uint64_t hash(std::size_t i) const {
    return hash_of_bytes(row(i), used_bytes(row(i), kept_bytes), salt);
  }
  [[nodiscard]] static std::uint64_t word(std::size_t /*i*/, std::uint64_t hash) { return hash; }
  [[nodiscard]] bool is_same(std::size_t i, const std::byte* known) const {
    return std::memcmp(row(i), known, kept_bytes) == 0;
  }

  [[nodiscard]] std::size_t sent_bytes() const { return kept_bytes; }
  void write(std::size_t i, std::byte* into) const { std::memcpy(into, row(i), kept_bytes); }
};

// Calls `use` with the keys. `type` is the type of numbers, or "" for rows of `row_bytes`.
template <typename Use>
void with_keys(std::string_view type, const read_bytes& keys, std::size_t row_bytes,
               std::uint64_t salt, const Use& use) {
  if (type.empty()) return use(row_keys{{bytes_of(keys), keys.size()}, row_bytes, salt});
  with_real_type(type, [&]<typename T>(T) { use(number_keys<T>{elements_of<T>(keys), salt}); });
}

}  // namespace boxcar::python
