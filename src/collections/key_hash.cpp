// The hash of bytes, for keys of any length.
#include <cstring>

#include <boxcar/key_hash.hpp>

namespace boxcar {

std::uint64_t hash_bytes(std::span<const std::byte> bytes) {
  std::uint64_t h = 0x9e3779b97f4a7c15 * (bytes.size() + 1);
  while (!bytes.empty()) {
    const std::size_t length = bytes.size() < 8 ? bytes.size() : 8;
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), length);
    h = mix_bits((h ^ word) + 0x9e3779b97f4a7c15);
    bytes = bytes.subspan(length);
  }
  return h;
}

}  // namespace boxcar
