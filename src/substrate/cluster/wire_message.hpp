// A wire_message is the wire format of a mailbox message sent as a two-sided message.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>

#include "substrate/mailbox.hpp"

namespace boxcar::detail {

// The header ahead of the text of a message. (The library also knows the length, but may return it
// only by a further call.)
struct message_header {
  std::int32_t from = 0;   // in the world
  std::int16_t place = 0;  // of a reply
  std::uint16_t bytes = 0;
  // The number of requests of the destination PE taken by the sender: in total, or since the sender
  // last reported the number, as the mailboxes agree.
  std::uint32_t taken = 0;
};
static_assert(message_bytes <= std::numeric_limits<std::uint16_t>::max());

struct wire_message {
  message_header by;
  std::array<std::byte, message_bytes> text;
};
static_assert(sizeof(wire_message) == sizeof(message_header) + message_bytes);

// Returns whether a message of `bytes` bytes can be a wire message of a world of `pes` PEs: the
// header has valid values for the world, and gives the length of the text.
inline bool is_valid(const wire_message& l, std::size_t bytes, int pes) {
  return bytes >= sizeof l.by && bytes <= sizeof l && l.by.bytes == bytes - sizeof l.by &&
         l.by.from >= 0 && l.by.from < pes && l.by.place >= no_reply && l.by.place < reply_places;
}

inline std::span<const std::byte> text_of(const wire_message& l) {
  return std::span(l.text).first(l.by.bytes);
}

// Writes `by`, followed by `head` and `body`. Returns the bytes to be sent.
inline std::span<const std::byte> write(wire_message& l, const message_header& by,
                                        std::span<const std::byte> head,
                                        std::span<const std::byte> body) {
  l.by = by;
  l.by.bytes = static_cast<std::uint16_t>(head.size() + body.size());
  if (!head.empty()) std::memcpy(l.text.data(), head.data(), head.size());
  if (!body.empty()) std::memcpy(l.text.data() + head.size(), body.data(), body.size());
  return std::as_bytes(std::span(&l, 1)).first(sizeof l.by + l.by.bytes);
}

}  // namespace boxcar::detail
