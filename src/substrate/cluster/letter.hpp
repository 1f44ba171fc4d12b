// A message of a mailbox as two-sided messages carry it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "substrate/mailbox.hpp"

namespace boxcar::detail {

// Ahead of what a message says. (How long that is the library knows, too, but may tell only if it
// is asked again.)
struct envelope {
  std::int32_t from = 0;   // in the world
  std::int32_t place = 0;  // of a reply
  std::uint64_t bytes = 0;
};

struct letter {
  envelope by;
  std::array<std::byte, message_bytes> text;
};
static_assert(sizeof(letter) == sizeof(envelope) + message_bytes);

inline std::span<const std::byte> text_of(const letter& l) {
  return std::span(l.text).first(l.by.bytes);
}

}  // namespace boxcar::detail
