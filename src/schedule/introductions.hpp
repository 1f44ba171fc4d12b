// What PEs tell those with which they exchange messages by deferred work
// (substrate/deferred_work.hpp): how they are reached, and where each message is to be put. Each PE
// hears of its own messages only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include <boxcar/world.hpp>

#include "substrate/deferred_work.hpp"

namespace boxcar::detail {

// Where the PE at the other end puts something for a message: travels as plain bytes.
struct message_place {
  deferred_work::place at = {};
  std::int32_t number = 0;   // of the message
  std::int32_t is_sent = 0;  // by the PE that tells of it; else it receives it
};

// What one PE tells another one.
struct introduction {
  std::vector<std::byte> address;
  std::vector<message_place> places;
};

// Collective. What this PE tells each PE with which it exchanges messages becomes what these tell
// it. Each message is told of at both of its ends.
[[nodiscard]] std::map<int, introduction> exchange_introductions(
    const world& w, const std::map<int, introduction>& to);

}  // namespace boxcar::detail
