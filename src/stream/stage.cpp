#include "stream/stage.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace boxcar::detail {
namespace {

constexpr std::size_t word_size = sizeof(std::uint32_t);

constexpr std::size_t round_up_to_word(std::size_t bytes) {
  return (bytes + word_size - 1) / word_size * word_size;
}

link_plan with_buffers_of(link_plan plan, std::size_t bytes) {
  plan.buffer_bytes = bytes;
  return plan;
}

}  // namespace

std::size_t stage_layout::buffer_bytes(std::size_t wished) const {
  if (arrays) return round_up_to_word(wished);
  const std::size_t items = std::max<std::size_t>(wished / (item_bytes + words() * word_size), 1);
  // The size is chosen so that a full buffer has no gap.
  return words() == 0 ? items * item_bytes
                      : round_up_to_word(items * item_bytes) + items * words() * word_size;
}

stage::stage(substrate& world, link_plan plan, int number, const stage_layout& layout,
             track* tracks)
    : account_(world.streamed()),
      layout_(layout),
      buffer_bytes_(layout.buffer_bytes(plan.buffer_bytes)),
      porter_(world, with_buffers_of(std::move(plan), buffer_bytes_), true),
      tracks_(tracks),
      used_(porter_.links()) {
  items_.stage = number;
  porter_.be_hop(number, !layout.inner);
}

void stage::start_session() {
  // Open empty buffers stay open.
  porter_.start_session(0);
  if (!layout_.arrays) {
    porter_.count_packets_of(layout_.item_bytes + layout_.words() * sizeof(std::uint32_t));
  }
  sealed_ = false;
}

bool stage::make_room(std::size_t link) {
  track& t = tracks_[link];
  if (t.begin != nullptr) seal(link);
  t = {};
  if (!porter_.make_room(link)) return false;
  std::byte* const buffer = porter_.lanes()[link].cursor;
  used_[link] = true;
  const std::size_t packet_bytes = layout_.item_bytes + layout_.words() * word_size;
  const std::size_t room =
      layout_.arrays ? buffer_bytes_ : buffer_bytes_ / packet_bytes * layout_.item_bytes;
  std::byte* const back = layout_.words() == 0 ? words_end(buffer) + word_size : words_end(buffer);
  t = {buffer, buffer + room, back, buffer};
  return true;
}

std::size_t stage::items_in(std::size_t link) const {
  const track& t = tracks_[link];
  if (t.begin == nullptr) return 0;
  if (!layout_.arrays) return static_cast<std::size_t>(t.cursor - t.begin) / layout_.item_bytes;
  return static_cast<std::size_t>(words_end(t.begin) - t.back) / (layout_.words() * word_size);
}

void stage::seal(std::size_t link) {
  const track& t = tracks_[link];
  const std::size_t items = items_in(link);
  const auto item_bytes = static_cast<std::size_t>(t.cursor - t.begin);
  std::size_t bytes = item_bytes;
  if (layout_.words() != 0) {
    bytes = round_up_to_word(item_bytes);
    const std::size_t word_bytes = items * layout_.words() * word_size;
    std::memmove(t.begin + bytes, t.back, word_bytes);
    bytes += word_bytes;
  }
  if (layout_.arrays && items != 0) {
    const auto count = static_cast<std::uint32_t>(items);
    std::memcpy(t.begin + bytes, &count, word_size);
    bytes += word_size;
  }
  porter_.lanes()[link].cursor = t.begin + bytes;
  departed_ += items;
  items_sent_ += items;
  if (items == 0) return;
  ++buffers_sent_;
  account_.count_sent();
}

void stage::send(std::size_t link) {
  seal(link);
  tracks_[link] = {};
  porter_.send_now(link);
}

bool stage::flush(bool all) {
  bool any = false;
  porter_.visit_links([&](std::size_t link) {
    if (items_in(link) == 0 || (!all && !porter_.poll_returned(link))) return;
    send(link);
    any = true;
  });
  return any;
}

bool stage::empty() const {
  for (std::size_t link = 0; link < links(); ++link) {
    const track& t = tracks_[link];
    if (t.begin == nullptr) continue;
    // An array without elements is visible only by its words.
    if (t.cursor != t.begin || (layout_.arrays && t.back != words_end(t.begin))) return false;
  }
  return true;
}

bool stage::close() {
  if (!sealed_) {
    for (std::size_t link = 0; link < links(); ++link) {
      if (tracks_[link].begin == nullptr) continue;
      seal(link);
      tracks_[link] = {};
    }
    sealed_ = true;
  }
  return porter_.close();
}

arrived_items* stage::current() {
  if (!busy_) {
    if (!porter_.borrow(arrival_)) return nullptr;
    open_items();
    busy_ = true;
  }
  return &items_;
}

void stage::open_items() {
  const std::size_t bytes = arrival_.bytes;
  items_.items = aligned(arrival_.data, bytes);
  const std::byte* const end = items_.items + bytes - trailer_bytes();
  items_.words_end = layout_.words() == 0 ? nullptr : end;
  if (layout_.arrays) {
    std::uint32_t count;
    std::memcpy(&count, end, word_size);
    items_.left = count;
  } else {
    // Padding up to the next word is shorter than a word, and hence shorter than a packet.
    items_.left = bytes / (layout_.item_bytes + layout_.words() * word_size);
  }
}

// Boxcar aligns buffers to cache lines; a substrate may deliver other buffers.
const std::byte* stage::aligned(const std::byte* data, std::size_t bytes) {
  constexpr std::size_t line = 64;
  const auto misplaced = [](const std::byte* p) {
    return reinterpret_cast<std::uintptr_t>(p) % line;
  };
  if (misplaced(data) == 0) return data;
  aligned_.resize(bytes + line);
  std::byte* const copy = aligned_.data() + (line - misplaced(aligned_.data())) % line;
  std::memcpy(copy, data, bytes);
  return copy;
}

void stage::finish_current() {
  porter_.give_back(arrival_);
  busy_ = false;
  ++buffers_received_;
  account_.count_received();
}

std::size_t stage::links_used() const {
  return static_cast<std::size_t>(std::count(used_.begin(), used_.end(), true));
}

}  // namespace boxcar::detail
