// An invalid request names something that the object does not have; no PE of the same program sends
// invalid requests. The request is not executed, and the world fails.
#pragma once

#include <cstddef>

#include "one_sided/request.hpp"

namespace boxcar::detail {

// `object` is the target of the request, and `bytes` the size of its data. Throws world_error.
[[noreturn]] void refuse_request(const char* object, const request& r, std::size_t bytes);

// Refuses a reply with another length than the request of the PE says. Throws world_error.
[[noreturn]] void refuse_reply(std::size_t bytes, std::size_t expected);

// Refuses a reply of the PE `from` to a request to the PE `asked`. Throws world_error.
[[noreturn]] void refuse_reply_of(int from, int asked);

inline void require_reply(std::span<const std::byte> reply, std::size_t expected) {
  if (reply.size() != expected) [[unlikely]]
    refuse_reply(reply.size(), expected);
}

}  // namespace boxcar::detail
