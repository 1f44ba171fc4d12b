// The operations of a conveyor for items of one size that are not inlined: begin, the next buffer
// to read, unpull, statistics.
#include <utility>

#include <boxcar/detail/conveyor_core.hpp>

#include "conveyor/engine.hpp"
#include "conveyor/scatter.hpp"

namespace boxcar::detail {

conveyor_core::conveyor_core(const world& w, std::size_t item_bytes,
                             const conveyor_options& options, std::size_t conveyors,
                             const type_identity& type)
    : conveyor_base(w, {.item_bytes = item_bytes, .conveyors = conveyors, .type = type}, options) {
  note_way();
}

void conveyor_core::note_way() {
  const engine& e = inner();
  pull_tag_bytes_ = static_cast<std::uint32_t>(e.last_tag_bytes());
  pull_tag_mask_ = tag_mask(e.last_tag_bytes());
  if (e.path().hops() > 1) {
    way_ = way::over_several_hops;
  } else {
    way_ = e.chosen().scatter ? way::scattered : way::direct;
  }
}

conveyor_core::conveyor_core(conveyor_core&&) noexcept = default;
conveyor_core& conveyor_core::operator=(conveyor_core&&) = default;
conveyor_core::~conveyor_core() = default;

void conveyor_core::begin(std::size_t item_bytes) {
  begin_session(item_bytes);
  note_way();
  direct_pes_ = way_ == way::direct ? pes_ : 0;
  item_bytes_ = static_cast<std::uint32_t>(item_bytes);
  unpull_floor_ = read_;  // nothing has been pulled
  if (way_ == way::scattered) delayed_ = std::make_unique<scatter>(item_bytes);
}

std::byte* conveyor_core::scattered_place(std::uint32_t pe) {
  lane& l = lanes_[pe];
  if (l.cursor == l.limit && !make_room(l)) return nullptr;
  return delayed_->room_for(std::exchange(l.cursor, l.cursor + item_bytes_));
}

void conveyor_core::write_delayed() {
  if (delayed_ != nullptr) delayed_->write_all();
}

bool conveyor_core::read_on() {
  const bool more = next_buffer();
  unpull_floor_ = read_;
  return more;
}

std::byte* conveyor_core::hand_out() {
  inner().rules().hand_out();
  return std::exchange(read_, read_limit_);
}

void conveyor_core::take_back(std::byte* unread) {
  inner().rules().took_back();
  read_ = unread;
}

bool conveyor_core::unpull() {
  engine& e = inner();
  e.rules().require(operation::unpull);
  if (read_ == unpull_floor_ || state() == conveyor_state::complete) return false;
  read_ -= pull_tag_bytes_ + item_bytes_;
  unpull_floor_ = read_;
  ++e.counts.unpulls;
  return true;
}

statistics conveyor_core::session_statistics() const {
  const engine& e = inner();
  statistics s = e.session_statistics();
  if (state() == conveyor_state::dormant) return s;
  const std::uint64_t here =
      e.has_buffer() ? static_cast<std::uint64_t>(read_ - e.buffer().data) : 0;
  s.pushes = e.packets_pushed(item_bytes_);
  s.pulls = (e.bytes_read() + here) / (pull_tag_bytes_ + item_bytes_) + s.unpulls;
  return s;
}

}  // namespace boxcar::detail
