// The trailer is a byte behind the packets of a buffer sent as a message. It holds the number of
// the buffer on its link, from a range larger than the number of buffers in flight on the link, and
// whether the buffer is the last of the session.
#pragma once

#include <cstddef>

namespace boxcar::detail {

constexpr std::size_t trailer_bytes = 1;

constexpr std::byte trailer_of(unsigned number, bool last) {
  return static_cast<std::byte>(number << 1 | unsigned{last});
}
constexpr unsigned number_in(std::byte trailer) {
  return std::to_integer<unsigned>(trailer) >> 1;
}
constexpr bool is_last(std::byte trailer) {
  return (trailer & std::byte{1}) != std::byte{0};
}
constexpr unsigned numbers_of_buffers = 128;
constexpr unsigned next_number(unsigned number) {
  return (number + 1) % numbers_of_buffers;
}
// Returns whether a buffer with the number `number` can arrive if `next` is the oldest number not
// yet arrived, and at most `under_way` buffers are in flight.
constexpr bool is_within(unsigned number, unsigned next, std::size_t under_way) {
  return (number + numbers_of_buffers - next) % numbers_of_buffers < under_way;
}

}  // namespace boxcar::detail
