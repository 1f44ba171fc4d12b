// Hashes of keys. The high bits of the hash without a salt select the PE of a key, and the low bits
// of the hash with the salt of a table select the place in the table: see
// boxcar/detail/hash_salt.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <boxcar/detail/mix_bits.hpp>

namespace boxcar::python {

// The type of a product, for its high half.
__extension__ using wide = unsigned __int128;

using detail::mix_bits;

inline std::uint64_t hash_of_word(std::uint64_t word, std::uint64_t salt = 0) {
  return mix_bits(word + (0x9e3779b97f4a7c15 + salt));
}

inline std::uint64_t hash_of_bytes(const std::byte* bytes, std::size_t count,
                                   std::uint64_t salt = 0) {
  std::uint64_t hash = mix_bits(count + salt);
  for (; count >= 8; bytes += 8, count -= 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes, 8);
    hash = mix_bits(hash ^ word) * 0x9e3779b97f4a7c15;
  }
  std::uint64_t rest = 0;
  std::memcpy(&rest, bytes, count);
  return mix_bits(hash ^ rest);
}

// The PE of a hash, out of `pes` PEs.
inline std::int32_t pe_of_hash(std::uint64_t hash, std::uint64_t pes) {
  return static_cast<std::int32_t>((static_cast<wide>(hash) * pes) >> 64);
}

}  // namespace boxcar::python
