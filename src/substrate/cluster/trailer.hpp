// What travels behind the packets of a buffer that is sent as a message: one byte, with its number
// among those of its link, which is larger than what can be under way there, and whether it is the
// last of the session.
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
// Whether a buffer of this number can arrive where `next` is the oldest that has not, and so many
// are under way at most.
constexpr bool is_within(unsigned number, unsigned next, std::size_t under_way) {
  return (number + numbers_of_buffers - next) % numbers_of_buffers < under_way;
}

}  // namespace boxcar::detail
