#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/detail/conveyor_core.hpp>
#include <boxcar/error.hpp>

#include "conveyor/configuration.hpp"
#include "conveyor/engine.hpp"
#include "conveyor/scatter.hpp"

namespace boxcar::detail {

struct conveyor_core::parts {
  parts(const world& w, std::size_t item_bytes, const conveyor_options& o)
      : options(o), conveyor(w.substrate(), configure(*w.substrate(), o, item_bytes)) {
  }

  conveyor_options options;
  engine conveyor;
  std::optional<scatter> delayed;
  std::byte* unpull_floor = nullptr;  // how far unpull may go back
  std::vector<std::byte> aligned;
};

conveyor_core::conveyor_core(const world& w, std::size_t item_bytes,
                             const conveyor_options& options)
    : parts_(std::make_unique<parts>(w, item_bytes, options)) {
  const engine& e = parts_->conveyor;
  first_step_ = e.path().start();
  push_tag_bytes_ = static_cast<std::uint32_t>(e.first_tag_bytes());
  pull_tag_bytes_ = static_cast<std::uint32_t>(e.last_tag_bytes());
  pull_tag_mask_ = tag_mask(e.last_tag_bytes());
  if (e.path().hops() > 1) {
    way_ = way::routed;
  } else if (e.chosen().scatter) {
    way_ = way::scattered;
  }
}

conveyor_core::conveyor_core(conveyor_core&& other) noexcept {
  *this = std::move(other);
}

conveyor_core& conveyor_core::operator=(conveyor_core&& other) noexcept {
  lanes_ = other.lanes_;
  pes_ = std::exchange(other.pes_, 0);
  way_ = other.way_;
  push_tag_bytes_ = other.push_tag_bytes_;
  first_step_ = other.first_step_;
  read_ = std::exchange(other.read_, nullptr);
  read_limit_ = std::exchange(other.read_limit_, nullptr);
  pull_tag_bytes_ = other.pull_tag_bytes_;
  pull_tag_mask_ = other.pull_tag_mask_;
  item_bytes_ = other.item_bytes_;
  origin_ = other.origin_;
  parts_ = std::move(other.parts_);
  return *this;
}

conveyor_core::~conveyor_core() = default;

conveyor_core::parts& conveyor_core::inner() const {
  if (parts_ == nullptr) throw contract_error("this conveyor has been moved from");
  return *parts_;
}

void conveyor_core::begin(std::size_t item_bytes) {
  engine& e = inner().conveyor;
  e.rules().require(operation::begin);
  e.begin(item_bytes);
  item_bytes_ = static_cast<std::uint32_t>(item_bytes);
  if (e.chosen().scatter) parts_->delayed.emplace(item_bytes);
  lanes_ = e.first_hop().lanes();
  pes_ = static_cast<std::uint32_t>(e.world().size());
}

void conveyor_core::refuse_push(int pe) const {
  const engine& e = inner().conveyor;
  e.rules().require(operation::push);
  throw argument_error("push to PE " + std::to_string(pe) + ": the world has " +
                       std::to_string(e.world().size()) + " PEs, numbered from 0");
}

bool conveyor_core::make_room(std::uint32_t link) {
  write_scattered();
  if (parts_->conveyor.first_hop().make_room(link)) return true;
  ++parts_->conveyor.counts.blocked;
  return false;
}

bool conveyor_core::push_scattered(const void* item, int pe) {
  lane& l = lanes_[pe];
  if (l.cursor == l.limit && !make_room(static_cast<std::uint32_t>(pe))) return false;
  parts_->delayed->write_later(l.cursor, item);
  l.cursor += item_bytes_;
  return true;
}

void conveyor_core::write_scattered() {
  if (parts_->delayed) parts_->delayed->write_all();
}

bool conveyor_core::next_buffer() {
  parts& p = inner();
  p.conveyor.rules().require(operation::pull);
  if (!p.conveyor.next_buffer()) {
    read_ = read_limit_ = nullptr;
    return false;
  }
  read_ = p.unpull_floor = p.conveyor.buffer().data;
  read_limit_ = read_ + p.conveyor.buffer().bytes;
  origin_ = p.conveyor.source_in_buffer();
  return true;
}

const std::byte* conveyor_core::aligned_copy(const std::byte* item, std::size_t alignment) {
  std::vector<std::byte>& room = inner().aligned;
  room.resize(item_bytes_ + alignment);
  const auto address = reinterpret_cast<std::uintptr_t>(room.data());
  std::byte* copy = room.data() + (alignment - address % alignment) % alignment;
  std::memcpy(copy, item, item_bytes_);
  return copy;
}

bool conveyor_core::unpull() {
  parts& p = inner();
  p.conveyor.rules().require(operation::unpull);
  if (read_ == nullptr || read_ == p.unpull_floor || state() == conveyor_state::complete) {
    return false;
  }
  read_ -= pull_tag_bytes_ + item_bytes_;
  p.unpull_floor = read_;
  ++p.conveyor.counts.unpulls;
  return true;
}

advance_result conveyor_core::advance(bool done) {
  engine& e = inner().conveyor;
  e.rules().require(operation::advance, done);
  if (done) pes_ = 0;  // every push from now on is refused
  write_scattered();
  return e.advance(done, read_ == read_limit_, reinterpret_cast<std::uintptr_t>(read_));
}

void conveyor_core::reset() {
  engine& e = inner().conveyor;
  e.rules().require(operation::reset);
  if (state() == conveyor_state::dormant) return;
  e.settle(session_statistics());
  read_ = read_limit_ = nullptr;
  e.reset();
}

void conveyor_core::leave(bool quietly) {
  if (parts_ == nullptr || state() == conveyor_state::dormant) return;
  if (state() == conveyor_state::complete) {
    reset();
  } else if (quietly) {
    parts_->conveyor.abandon();
  } else {
    throw contract_error(parts_->conveyor.abandoned_text());
  }
}

conveyor_state conveyor_core::state() const {
  return inner().conveyor.state();
}

statistics conveyor_core::session_statistics() const {
  const engine& e = inner().conveyor;
  statistics s = e.session_statistics();
  if (state() == conveyor_state::dormant) {
    const std::size_t held = s.memory_bytes;
    s = e.settled();
    s.memory_bytes = held;
    return s;
  }
  const std::uint64_t here =
      e.has_buffer() ? static_cast<std::uint64_t>(read_ - e.buffer().data) : 0;
  s.pushes = e.bytes_pushed() / (push_tag_bytes_ + item_bytes_);
  s.pulls = (e.bytes_read() + here) / (pull_tag_bytes_ + item_bytes_) + s.unpulls;
  return s;
}

statistics conveyor_core::total_statistics() const {
  statistics s = inner().conveyor.earlier();
  return s += session_statistics();
}

std::size_t conveyor_core::buffer_bytes() const {
  return inner().conveyor.chosen().buffer_bytes;
}

std::string conveyor_core::explain() const {
  const parts& p = inner();
  return detail::explain(p.conveyor.world(), p.options, p.conveyor.chosen());
}

}  // namespace boxcar::detail
