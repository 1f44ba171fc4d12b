// The content of the tests' items: every item encodes, as far as there is room, its source, its
// destination, its session, and its number. The size of an elastic item encodes the same.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "support/dice.hpp"

namespace boxcar::test {

struct item_identity {
  std::uint64_t stream = 0;  // different for each conveyor and session
  int source = 0;
  int destination = 0;
  std::uint64_t number = 0;  // counts the items from the source to the destination

  [[nodiscard]] std::uint64_t hash() const {
    return scramble_all({stream, static_cast<std::uint64_t>(source),
                         static_cast<std::uint64_t>(destination), number});
  }
};

// The size of an elastic item: zero, much less than usual, about as usual, or more than a buffer
// may hold.
inline std::size_t varied_size(const item_identity& id, std::size_t usual) {
  switch (id.hash() % 8) {
    case 0:
      return 0;
    case 1:
      return 1;
    case 2:
      return usual / 2;
    case 3:
      return 2 * usual;
    case 4:
      return 4 * usual + 3;
    default:
      return usual;
  }
}

constexpr std::size_t largest_varied_size(std::size_t usual) {
  return 4 * usual + 3;
}

// A large item repeats its first part, with a twist, so that writing costs little.
inline void write_item(const item_identity& id, std::span<std::byte> bytes) {
  constexpr std::size_t part = 509;  // no multiple of a suspicious size
  std::uint64_t word = id.hash();
  const std::span<std::byte> first = bytes.first(std::min(bytes.size(), part));
  for (std::size_t at = 0; at < first.size(); at += sizeof word) {
    std::memcpy(&first[at], &word, std::min(sizeof word, first.size() - at));
    word = scramble(word + 1);
  }
  for (std::size_t at = part; at < bytes.size(); at += part) {
    std::memcpy(&bytes[at], first.data(), std::min(part, bytes.size() - at));
    std::memcpy(&bytes[at], &at, std::min(sizeof at, bytes.size() - at));
  }
}

inline bool holds_item(const item_identity& id, std::span<const std::byte> bytes) {
  std::vector<std::byte> expected(bytes.size());
  write_item(id, expected);
  return bytes.empty() || std::memcmp(expected.data(), bytes.data(), bytes.size()) == 0;
}

}  // namespace boxcar::test
