// Where a function that answers queries of any size puts its reply.
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

// A reply has no bytes unless it is given some. Good until the function returns.
class elastic_reply {
 public:
  elastic_reply(const elastic_reply&) = delete;
  elastic_reply& operator=(const elastic_reply&) = delete;

  // Room for a reply of so many bytes, whose values are to be written: they may be anything. It
  // lies in the buffer in which the reply travels, if that has room. What was there before is gone.
  std::span<std::byte> resize(std::size_t bytes) {
    bytes_ = bytes;
    std::byte* place = replies_.room_for(step_, bytes);
    in_buffer_ = place != nullptr;
    if (!in_buffer_) [[unlikely]]
      place = room_aside(bytes);
    return {place, bytes};
  }

  // A reply of these bytes, which are copied. They are not those of this reply.
  void assign(std::span<const std::byte> bytes) {
    const std::span<std::byte> room = resize(bytes.size());
    detail::copy_bytes(room.data(), bytes.data(), bytes.size());
  }

 private:
  friend class detail::elastic_reply_desk;

  // `aside`: where it lies if no buffer has room for it.
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
