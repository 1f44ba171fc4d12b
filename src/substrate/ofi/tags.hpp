// The layout of a message's tag: 48 bits, as all providers support 48 bits.
#pragma once

#include <cstdint>

namespace boxcar::detail::ofi {

// A tag has, from the low end: the sender's rank in the job, the channel, and the answer bit. A
// message with the answer bit returns credits to the sender side of the channel.
inline constexpr unsigned rank_bits = 24;
inline constexpr unsigned channel_bits = 23;
inline constexpr std::uint64_t any_rank = (std::uint64_t{1} << rank_bits) - 1;  // to ignore
inline constexpr std::uint64_t any_channel = ((std::uint64_t{1} << channel_bits) - 1) << rank_bits;
inline constexpr std::uint64_t answer_bit = std::uint64_t{1} << (rank_bits + channel_bits);

using channel = std::uint32_t;
inline constexpr channel start_channel = 0;     // reductions while the world is made
inline constexpr channel notice_channel = 1;    // notices of failures
inline constexpr channel fetch_channel = 2;     // requests for items too large for buffers
inline constexpr channel counting_channel = 3;  // answers to counted puts
inline constexpr channel first_of_pool = 8;     // link sets and mailboxes
inline constexpr channel first_of_items = channel{1} << (channel_bits - 1);  // large items
inline constexpr int last_of_pool = static_cast<int>(first_of_items - 1 - first_of_pool);

constexpr std::uint64_t tag_of(channel c, int from) {
  return std::uint64_t{c} << rank_bits | static_cast<std::uint64_t>(from);
}
constexpr std::uint64_t answer_tag_of(channel c, int from) {
  return answer_bit | tag_of(c, from);
}
constexpr int rank_in(std::uint64_t tag) {
  return static_cast<int>(tag & any_rank);
}
constexpr channel channel_in(std::uint64_t tag) {
  return static_cast<channel>((tag & any_channel) >> rank_bits);
}

}  // namespace boxcar::detail::ofi
