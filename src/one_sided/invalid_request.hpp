// A request that no PE of the same program sends: it names what the object does not have. It is not
// carried out, and the world fails.
#pragma once

#include <cstddef>

#include "one_sided/request.hpp"

namespace boxcar::detail {

// `object`: what the request is for, and `bytes` how much comes with it. Throws world_error.
[[noreturn]] void refuse_request(const char* object, const request& r, std::size_t bytes);

// A reply to a request of this PE has another length than the request says. Throws world_error.
[[noreturn]] void refuse_reply(std::size_t bytes, std::size_t expected);

inline void require_reply(std::span<const std::byte> reply, std::size_t expected) {
  if (reply.size() != expected) [[unlikely]]
    refuse_reply(reply.size(), expected);
}

}  // namespace boxcar::detail
