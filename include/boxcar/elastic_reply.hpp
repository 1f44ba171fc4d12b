// An elastic reply receives the reply of a function that answers queries of any size.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <cstddef>
#include <span>
#include <vector>

#include <boxcar/detail/elastic_core.hpp>
#include <boxcar/detail/elastic_packet.hpp>

namespace boxcar {

namespace detail {
class elastic_reply_desk;
}

// The reply to one query; empty unless the function resizes or assigns the reply. Valid until the
// function returns.
class elastic_reply {
 public:
  elastic_reply(const elastic_reply&) = delete;
  elastic_reply& operator=(const elastic_reply&) = delete;

  // Gives the reply `bytes` bytes of undefined value, and returns them to be written. The bytes lie
  // in the buffer in which the reply travels, if the buffer has room. Former content is lost.
  std::span<std::byte> resize(std::size_t bytes) {
    bytes_ = bytes;
    std::byte* place = replies_.room_for(step_, bytes);
    in_buffer_ = place != nullptr;
    if (!in_buffer_) [[unlikely]]
      place = room_aside(bytes);
    return {place, bytes};
  }

  // Copies `bytes` to the reply. Precondition: `bytes` are not the bytes of the same reply.
  void assign(std::span<const std::byte> bytes) {
    const std::span<std::byte> room = resize(bytes.size());
    detail::copy_bytes(room.data(), bytes.data(), bytes.size());
  }

 private:
  friend class detail::elastic_reply_desk;

  // `aside` holds the reply if no buffer has room.
  elastic_reply(detail::elastic_core& replies, int to, std::vector<std::byte>& aside)
      : replies_(replies), step_(replies.step_to(static_cast<std::uint32_t>(to))), aside_(aside) {}

  [[gnu::noinline]] std::byte* room_aside(std::size_t bytes) {
    aside_.resize(bytes);
    return aside_.data();
  }

  detail::elastic_core& replies_;
  detail::step step_;
  std::vector<std::byte>& aside_;
  std::size_t bytes_ = 0;
  bool in_buffer_ = false;
};

}  // namespace boxcar
