// A request for pieces of an item that another PE has put up (bulk.hpp), as it travels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

#include "substrate/ofi/tags.hpp"

namespace boxcar::detail::ofi {

struct item_request {
  std::uint64_t which = 0;  // of the items of that PE
  std::uint64_t first = 0;  // of its pieces
  std::uint32_t pieces = 0;
  channel answer_by = 0;
};

// What a message says, if it can be a request.
[[nodiscard]] inline std::optional<item_request> item_request_in(
    std::span<const std::byte> message) {
  item_request r;
  if (message.size() != sizeof r) return {};
  std::memcpy(&r, message.data(), sizeof r);
  const bool is_of_item = r.answer_by >= first_of_items && r.answer_by >> channel_bits == 0;
  if (!is_of_item || r.pieces == 0) return {};
  return r;
}

// Whether the request names the pieces that come next of an item that has so many, of which so many
// have been sent.
[[nodiscard]] inline bool names_next_pieces(const item_request& r, std::size_t pieces,
                                            std::size_t sent) {
  return r.first == sent && r.pieces <= pieces - sent;
}

}  // namespace boxcar::detail::ofi
