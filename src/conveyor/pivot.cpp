#include "conveyor/pivot.hpp"

#include <cstring>

#include <boxcar/detail/elastic_packet.hpp>
#include <boxcar/detail/packet.hpp>
#include <boxcar/detail/write_ahead.hpp>

namespace boxcar::detail {

void pivot::start_session(const pivot_layout& layout) {
  layout_ = layout;
  if (layout.item_bytes == 0) {
    move_ = move_elastic;
  } else if (path_.hops() == 2) {
    move_ = mover_of_fixed<false>(layout.item_bytes);
  } else {
    move_ = mover_of_fixed<true>(layout.item_bytes);
  }
  busy_ = false;
}

void pivot::run() {
  for (;;) {
    if (!busy_) {
      if (!from_.borrow(current_)) return;
      cursor_ = current_.data;
      change_ = path_.change(hop_, current_.source);
      busy_ = true;
    }
    if (!move_(*this)) return;
    from_.give_back(current_);
    busy_ = false;
  }
}

template <std::size_t ItemBytes, bool LowField>
bool pivot::move_fixed(pivot& p) {
  const auto before = static_cast<std::size_t>(p.layout_.tag_bytes_before);
  const auto after = static_cast<std::size_t>(p.layout_.tag_bytes_after);
  const std::size_t item_bytes = ItemBytes != 0 ? ItemBytes : p.layout_.item_bytes;
  const std::size_t stride_before = before + item_bytes;
  const std::size_t stride_after = after + item_bytes;
  const std::uint32_t mask = tag_mask(p.layout_.tag_bytes_before);
  const relabelling change = p.change_;
  lane* const lanes = p.into_.lanes();
  const std::byte* packet = p.cursor_;
  const std::byte* const end = p.current_.data + p.current_.bytes;
  for (; packet != end; packet += stride_before) {
    const std::uint32_t tag = load_tag(packet, mask);
    const std::uint32_t link = LowField ? change.link(tag) : tag;
    lane& l = lanes[link];
    std::byte* cursor = l.cursor;
    if (cursor == l.limit) [[unlikely]] {
      if (!p.into_.make_room(link)) {
        p.cursor_ = packet;
        return false;
      }
      cursor = l.cursor;
    }
    prefetch_to_write(cursor + write_ahead);
    store_tag(cursor, LowField ? change.tag(tag) : change.base);
    std::memcpy(cursor + after, packet + before, item_bytes);
    l.cursor = cursor + stride_after;
  }
  return true;
}

bool pivot::move_elastic(pivot& p) {
  constexpr std::size_t tag_bytes = sizeof(std::uint32_t);
  lane* const lanes = p.into_.lanes();
  const std::byte* packet = p.cursor_;
  const std::byte* const end = p.current_.data + p.current_.bytes;
  while (packet != end) {
    const std::uint32_t tag = load_word32(packet);
    const std::uint32_t d = load_word32(packet + tag_bytes);
    const std::size_t bytes = packet_bytes(tag_bytes, bytes_of(d));
    const std::uint32_t link = p.change_.link(tag);
    lane& l = lanes[link];
    if (static_cast<std::size_t>(l.limit - l.cursor) < bytes && !p.into_.make_room(link)) {
      p.cursor_ = packet;
      return false;
    }
    std::byte* const cursor = l.cursor;
    prefetch_to_write(cursor + write_ahead);
    std::memcpy(cursor, packet, bytes);
    store_word32(cursor, p.change_.tag(tag));
    l.cursor = cursor + bytes;
    if (is_ticket(d)) p.into_.send_now(link);
    packet += bytes;
  }
  return true;
}

template <bool LowField>
pivot::mover pivot::mover_of_fixed(std::size_t item_bytes) {
  switch (item_bytes) {
    case 4:
      return move_fixed<4, LowField>;
    case 8:
      return move_fixed<8, LowField>;
    case 12:
      return move_fixed<12, LowField>;
    case 16:
      return move_fixed<16, LowField>;
    case 24:
      return move_fixed<24, LowField>;
    case 32:
      return move_fixed<32, LowField>;
    default:
      return move_fixed<0, LowField>;
  }
}

}  // namespace boxcar::detail
