// The wire format of a request for pieces of an offered item (bulk.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

#include "substrate/ofi/tags.hpp"

namespace boxcar::detail::ofi {

struct item_request {
  std::uint64_t which = 0;  // the item, among the items of the offering PE
  std::uint64_t first = 0;  // the first requested piece
  std::uint32_t pieces = 0;
  channel answer_by = 0;
};

// Returns the request in `message`; nullopt if the message cannot be a request.
[[nodiscard]] inline std::optional<item_request> item_request_in(
    std::span<const std::byte> message) {
  item_request r;
  if (message.size() != sizeof r) return {};
  std::memcpy(&r, message.data(), sizeof r);
  const bool is_of_item = r.answer_by >= first_of_items && r.answer_by >> channel_bits == 0;
  if (!is_of_item || r.pieces == 0) return {};
  return r;
}

// Returns whether the request names the next pieces of an item with `pieces` pieces after `sent` of
// the pieces have been sent.
[[nodiscard]] inline bool names_next_pieces(const item_request& r, std::size_t pieces,
                                            std::size_t sent) {
  return r.first == sent && r.pieces <= pieces - sent;
}

}  // namespace boxcar::detail::ofi
