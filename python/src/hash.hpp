// Hashes of keys. The high bits of the hash without a salt select the PE of a key, and the low bits
// of the hash with the salt of a table select the place in the table: see
// boxcar/detail/hash_salt.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace boxcar::python {

// The type of a product, for its high half.
__extension__ using wide = unsigned __int128;

// A permutation of the numbers of 64 bits in which every bit depends on every bit: the finaliser of
// splitmix64 (Steele, Lea and Flood, 2014).
inline std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

inline std::uint64_t hash_of_word(std::uint64_t word, std::uint64_t salt = 0) {
  return mixed(word + (0x9e3779b97f4a7c15 + salt));
}

inline std::uint64_t hash_of_bytes(const std::byte* bytes, std::size_t count,
                                   std::uint64_t salt = 0) {
  std::uint64_t hash = mixed(count + salt);
  for (; count >= 8; bytes += 8, count -= 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes, 8);
    hash = mixed(hash ^ word) * 0x9e3779b97f4a7c15;
  }
  std::uint64_t rest = 0;
  std::memcpy(&rest, bytes, count);
  return mixed(hash ^ rest);
}

// The PE of a hash, out of `pes` PEs.
inline std::int32_t pe_of_hash(std::uint64_t hash, std::uint64_t pes) {
  return static_cast<std::int32_t>((static_cast<wide>(hash) * pes) >> 64);
}

}  // namespace boxcar::python
