#include "conveyor/pivot.hpp"

#include <cstring>

#include <boxcar/detail/packet.hpp>

namespace boxcar::detail {

void pivot::start_session(const pivot_layout& layout) {
  layout_ = layout;
  move_ = mover_for(layout.item_bytes);
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

template <std::size_t ItemBytes>
bool pivot::move_fixed(pivot& p) {
  const auto before = static_cast<std::size_t>(p.layout_.tag_bytes_before);
  const auto after = static_cast<std::size_t>(p.layout_.tag_bytes_after);
  const std::size_t item_bytes = ItemBytes != 0 ? ItemBytes : p.layout_.item_bytes;
  const std::uint32_t mask = tag_mask(p.layout_.tag_bytes_before);
  const relabelling change = p.change_;
  lane* const lanes = p.into_.lanes();
  const std::byte* packet = p.cursor_;
  const std::byte* const end = p.current_.data + p.current_.bytes;
  while (packet != end) {
    const std::uint32_t tag = load_tag(packet, mask);
    const std::uint32_t link = change.link(tag);
    lane& l = lanes[link];
    if (l.cursor == l.limit) [[unlikely]] {
      if (!p.into_.make_room(link)) {
        p.cursor_ = packet;
        return false;
      }
    }
    store_tag(l.cursor, change.tag(tag));
    std::memcpy(l.cursor + after, packet + before, item_bytes);
    l.cursor += after + item_bytes;
    packet += before + item_bytes;
  }
  return true;
}

bool pivot::move_elastic(pivot&) {
  return true;
}

pivot::mover pivot::mover_for(std::size_t item_bytes) {
  switch (item_bytes) {
    case 4:
      return move_fixed<4>;
    case 8:
      return move_fixed<8>;
    case 12:
      return move_fixed<12>;
    case 16:
      return move_fixed<16>;
    case 24:
      return move_fixed<24>;
    case 32:
      return move_fixed<32>;
    default:
      return move_fixed<0>;
  }
}

}  // namespace boxcar::detail
