// The address exchange (wire-up) of PEs with messages by deferred work
// (substrate/deferred_work.hpp): each PE sends its peers its network address, and where to put each
// message. A PE gets only the places of its own messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include <boxcar/world.hpp>

#include "substrate/deferred_work.hpp"

namespace boxcar::detail {

// The place where the peer puts data for a message; sent between PEs as plain bytes.
struct message_place {
  deferred_work::place at = {};
  std::int32_t number = 0;   // of the message
  std::int32_t is_sent = 0;  // by the PE of the address message; else the PE receives it
};

// The data from a PE to a peer.
struct address_message {
  std::vector<std::byte> address;
  std::vector<message_place> places;
};

// Collective. Sends each address message in `to` to its PE, and returns the address messages from
// the peers. Both ends of a message send the message's place.
[[nodiscard]] std::map<int, address_message> exchange_addresses(
    const world& w, const std::map<int, address_message>& to);

// Local. Returns the address messages in `told`, the bytes from the peers of a PE. `to`: the
// address messages of the PE itself. Throws world_error unless each peer has sent one message with
// as many places as in `to`.
[[nodiscard]] std::map<int, address_message> addresses_in(std::span<const std::byte> told,
                                                          const std::map<int, address_message>& to);

}  // namespace boxcar::detail
