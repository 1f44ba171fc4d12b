#include "conveyor/pivot.hpp"

#include <cstring>
#include <type_traits>

#include <boxcar/detail/elastic_packet.hpp>
#include <boxcar/detail/packet.hpp>
#include <boxcar/detail/write_ahead.hpp>

namespace boxcar::detail {

pivot::pivot(const steps_of_pe& steps, hops& all, int hop)
    : steps_(steps), hops_(all), from_(all[static_cast<std::size_t>(hop)]), hop_(hop) {}

void pivot::start_session(std::size_t item_bytes) {
  item_bytes_ = item_bytes;
  moved_ = 0;
  busy_ = false;
  switch (item_bytes == 0 ? steps_.elastic_rule() : steps_.rule_behind(hop_)) {
    case steps_of_pe::rule::listed:
      move_ = mover_for<listed_steps>(item_bytes);
      break;
    case steps_of_pe::rule::computed:
      move_ = mover_for<computed_steps>(item_bytes);
      break;
    case steps_of_pe::rule::tabled:
      move_ = mover_for<tabled_steps>(item_bytes);
      break;
  }
}

void pivot::run() {
  for (;;) {
    if (!busy_) {
      if (!from_.borrow(current_)) return;
      cursor_ = current_.data;
      busy_ = true;
    }
    if (!move_(*this)) return;
    from_.give_back(current_);
    busy_ = false;
  }
}

template <typename Steps, std::size_t ItemBytes>
bool pivot::move_fixed(pivot& p) {
  constexpr bool listed = std::is_same_v<Steps, listed_steps>;
  const auto steps = p.steps_here<Steps>();
  const std::size_t tag_bytes =
      listed ? 1 : static_cast<std::size_t>(p.steps_.path().tag_bytes(p.hop_));
  const std::uint32_t mask = tag_mask(static_cast<int>(tag_bytes));
  const std::size_t item_bytes = ItemBytes != 0 ? ItemBytes : p.item_bytes_;
  const std::size_t stride = tag_bytes + item_bytes;
  const std::byte* packet = p.cursor_;
  const std::byte* const end = p.current_.data + p.current_.bytes;
  while (packet != end) {
    const step s =
        steps.of(listed ? std::to_integer<std::uint32_t>(*packet) : load_tag(packet, mask));
    std::byte* const cursor = s.to->cursor;
    if (cursor == s.to->limit) [[unlikely]] {
      if (!p.make_room(*s.to)) break;
      continue;  // restart the packet, so that no part of the step need be kept meanwhile
    }
    prefetch_to_write(cursor + write_ahead);
    store_tag(cursor, s.tag);
    std::memcpy(cursor + s.tag_bytes, packet + tag_bytes, item_bytes);
    s.to->cursor = cursor + s.tag_bytes + item_bytes;
    packet += stride;
  }
  p.moved_ += static_cast<std::size_t>(packet - p.cursor_) / stride;
  p.cursor_ = packet;
  return packet == end;
}

template <typename Steps>
bool pivot::move_elastic(pivot& p) {
  constexpr std::size_t tag_bytes = sizeof(std::uint32_t);
  const auto steps = p.steps_here<Steps>();
  const std::byte* packet = p.cursor_;
  const std::byte* const end = p.current_.data + p.current_.bytes;
  while (packet != end) {
    const step s = steps.of(load_word32(packet));
    const std::uint32_t d = load_word32(packet + tag_bytes);
    const std::size_t bytes = packet_bytes(tag_bytes, bytes_of(d));
    lane& l = *s.to;
    if (static_cast<std::size_t>(l.limit - l.cursor) < bytes) [[unlikely]] {
      if (!p.make_room(l)) break;
      continue;
    }
    std::byte* const cursor = l.cursor;
    prefetch_to_write(cursor + write_ahead);
    copy_bytes(cursor, packet, bytes);
    store_word32(cursor, s.tag);
    l.cursor = cursor + bytes;
    if (is_ticket(d)) p.hops_.send_now(p.hops_.link_of(l));
    packet += bytes;
  }
  p.cursor_ = packet;
  return packet == end;
}

template <typename Steps>
pivot::mover pivot::mover_for(std::size_t item_bytes) {
  switch (item_bytes) {
    case 0:
      if constexpr (!std::is_same_v<Steps, listed_steps>) return move_elastic<Steps>;
      break;
    case 4:
      return move_fixed<Steps, 4>;
    case 8:
      return move_fixed<Steps, 8>;
    case 12:
      return move_fixed<Steps, 12>;
    case 16:
      return move_fixed<Steps, 16>;
    case 24:
      return move_fixed<Steps, 24>;
    case 32:
      return move_fixed<Steps, 32>;
    default:
      break;
  }
  return move_fixed<Steps, 0>;
}

}  // namespace boxcar::detail
