#include "conveyor/pivot.hpp"

#include <cstring>

#include <boxcar/detail/elastic_packet.hpp>
#include <boxcar/detail/packet.hpp>
#include <boxcar/detail/write_ahead.hpp>

namespace boxcar::detail {
namespace {

lane* bytes_behind(lane* lanes, std::size_t bytes) {
  return reinterpret_cast<lane*>(reinterpret_cast<std::byte*>(lanes) + bytes);
}

}  // namespace

pivot::pivot(const tagged_route& path, const tabled_step& table, hops& all, int hop, int pe)
    : path_(path), table_(table), hops_(all), from_(all[static_cast<std::size_t>(hop)]), hop_(hop) {
  const auto bytes_of = [&path](int h) { return static_cast<std::uint8_t>(path.tag_bytes(h)); };
  first_link_ = path.is_by_table() ? 0 : all.first(static_cast<std::size_t>(hop) + 1);
  lanes_ = all.lanes() + first_link_;
  last_links_ = all.first(all.size() - 1);
  tag_bytes_before_ = bytes_of(hop);
  tag_bytes_after_ = bytes_of(path.is_by_table() ? hop : hop + 1);
  last_tag_bytes_ = bytes_of(path.hops() - 1);
  turns_ = turns(path.next_steps(hop, pe));
}

std::vector<pivot::turn> pivot::turns(const std::vector<link_and_tag>& steps) {
  std::vector<turn> turns;
  turns.reserve(steps.size());
  for (const link_and_tag& s : steps) {
    turns.push_back({s.link * static_cast<std::uint32_t>(sizeof(lane)), s.tag});
  }
  return turns;
}

void pivot::start_session(std::size_t item_bytes) {
  item_bytes_ = item_bytes;
  moved_ = 0;
  busy_ = false;
  const bool elastic = item_bytes == 0;
  if (path_.is_by_table()) {
    move_ = elastic ? move_elastic<tags::by_table> : mover_of_fixed<tags::by_table>(item_bytes);
  } else if (elastic) {
    move_ = move_elastic<tags::link_and_source>;
  } else if (!turns_.empty()) {
    move_ = mover_of_fixed<tags::listed>(item_bytes);
  } else if (path_.hops() == 2) {
    move_ = mover_of_fixed<tags::link>(item_bytes);
  } else {
    move_ = mover_of_fixed<tags::link_and_source>(item_bytes);
  }
}

void pivot::run() {
  for (;;) {
    if (!busy_) {
      if (!from_.borrow(current_)) return;
      cursor_ = current_.data;
      if (!path_.is_by_table()) change_ = path_.change(hop_, current_.source);
      busy_ = true;
    }
    if (!move_(*this)) return;
    from_.give_back(current_);
    busy_ = false;
  }
}

template <std::size_t ItemBytes, pivot::tags Tags>
bool pivot::move_fixed(pivot& p) {
  constexpr bool listed = Tags == tags::listed;
  const std::size_t before = listed ? 1 : p.tag_bytes_before_;
  const std::size_t after_next = listed ? 1 : p.tag_bytes_after_;
  const std::size_t after_last = listed ? 1 : p.last_tag_bytes_;
  const std::size_t item_bytes = ItemBytes != 0 ? ItemBytes : p.item_bytes_;
  const std::size_t stride = before + item_bytes;
  const std::uint32_t mask = tag_mask(static_cast<int>(before));
  const relabelling change = p.change_;
  const tabled_step table = p.table_;
  const turn* const turns = p.turns_.data();
  lane* const lanes = p.lanes_;
  const lane* const last_lanes = Tags == tags::by_table ? lanes + p.last_links_ : nullptr;
  const std::byte* packet = p.cursor_;
  const std::byte* const end = p.current_.data + p.current_.bytes;
  const auto settle = [&] {
    p.moved_ += static_cast<std::size_t>(packet - p.cursor_) / stride;
    p.cursor_ = packet;
  };
  for (; packet != end; packet += stride) {
    lane* to;
    std::uint32_t tag_after;
    if constexpr (listed) {
      const turn& t = turns[std::to_integer<std::size_t>(*packet)];
      to = bytes_behind(lanes, t.lane_offset);
      tag_after = t.tag | change.base;
    } else {
      const std::uint32_t tag = load_tag(packet, mask);
      to = lanes + (Tags == tags::by_table ? table.link_of(tag)
                    : Tags == tags::link   ? tag
                                           : change.link(tag));
      tag_after = Tags == tags::by_table ? tag : Tags == tags::link ? change.base : change.tag(tag);
    }
    std::byte* cursor = to->cursor;
    if (cursor == to->limit) [[unlikely]] {
      if (!p.hops_.make_room(p.first_link_ + static_cast<std::uint32_t>(to - lanes))) {
        return settle(), false;
      }
      cursor = to->cursor;
    }
    const bool is_last = Tags == tags::by_table && to >= last_lanes;
    const std::size_t after = is_last ? after_last : after_next;
    prefetch_to_write(cursor + write_ahead);
    store_tag(cursor, tag_after);
    std::memcpy(cursor + after, packet + before, item_bytes);
    to->cursor = cursor + after + item_bytes;
  }
  settle();
  return true;
}

template <pivot::tags Tags>
bool pivot::move_elastic(pivot& p) {
  constexpr std::size_t tag_bytes = sizeof(std::uint32_t);
  lane* const lanes = p.lanes_;
  const std::byte* packet = p.cursor_;
  const std::byte* const end = p.current_.data + p.current_.bytes;
  while (packet != end) {
    const std::uint32_t tag = load_word32(packet);
    const std::uint32_t d = load_word32(packet + tag_bytes);
    const std::size_t bytes = packet_bytes(tag_bytes, bytes_of(d));
    const std::uint32_t link = Tags == tags::by_table ? p.table_.link_of(tag) : p.change_.link(tag);
    lane& l = lanes[link];
    if (static_cast<std::size_t>(l.limit - l.cursor) < bytes &&
        !p.hops_.make_room(p.first_link_ + link)) {
      p.cursor_ = packet;
      return false;
    }
    std::byte* const cursor = l.cursor;
    prefetch_to_write(cursor + write_ahead);
    std::memcpy(cursor, packet, bytes);
    if constexpr (Tags != tags::by_table) store_word32(cursor, p.change_.tag(tag));
    l.cursor = cursor + bytes;
    if (is_ticket(d)) p.hops_.send_now(p.first_link_ + link);
    packet += bytes;
  }
  return true;
}

template <pivot::tags Tags>
pivot::mover pivot::mover_of_fixed(std::size_t item_bytes) {
  switch (item_bytes) {
    case 4:
      return move_fixed<4, Tags>;
    case 8:
      return move_fixed<8, Tags>;
    case 12:
      return move_fixed<12, Tags>;
    case 16:
      return move_fixed<16, Tags>;
    case 24:
      return move_fixed<24, Tags>;
    case 32:
      return move_fixed<32, Tags>;
    default:
      return move_fixed<0, Tags>;
  }
}

}  // namespace boxcar::detail
