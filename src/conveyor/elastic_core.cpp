// The operations of an elastic conveyor that are not inlined: begin, items larger than a buffer
// (monsters), peek, unpull.
#include <algorithm>
#include <string>

#include <boxcar/detail/elastic_core.hpp>
#include <boxcar/error.hpp>

#include "conveyor/engine.hpp"
#include "substrate/large_items.hpp"

namespace boxcar::detail {
namespace {

// The minimum size of a buffer: a ticket with its tag and descriptor.
constexpr std::size_t min_buffer = packet_bytes(sizeof(std::uint32_t), sizeof(bulk_ticket));
constexpr std::size_t largest_small_item = (std::size_t{1} << 31) - 1;

}  // namespace

elastic_core::elastic_core(const world& w, const elastic_items& items,
                           const conveyor_options& options)
    : conveyor_base(w,
                    {.item_bytes = min_buffer,
                     .elastic = true,
                     .largest_elastic_item = items.largest_bytes,
                     .type = items.type},
                    options),
      largest_bytes_(items.largest_bytes),
      monsters_(std::make_unique<large_items>(inner().world(), items.waiting_bytes)) {
  note_way();
}

void elastic_core::note_way() {
  const engine& e = inner();
  tag_bytes_ = e.path().hops() == 1 ? 0 : sizeof(std::uint32_t);
  const std::size_t room = e.chosen().buffer_bytes - packet_bytes(tag_bytes_, 0);
  largest_in_buffer_ = std::min({room / 4 * 4, largest_small_item, largest_bytes_});
}

elastic_core::elastic_core(elastic_core&&) noexcept = default;
elastic_core& elastic_core::operator=(elastic_core&&) = default;
elastic_core::~elastic_core() = default;

void elastic_core::begin() {
  begin_session(0);
  note_way();
  pushes_ = pulls_ = 0;
  last_ = delivered_by_ = nullptr;
}

bool elastic_core::push_monster(const void* item, std::size_t bytes, int pe) {
  if (bytes > largest_bytes_) {
    throw argument_error("an item of " + std::to_string(bytes) + " bytes is larger than the " +
                         std::to_string(largest_bytes_) +
                         " bytes that this conveyor was made for: raise its bound");
  }
  monsters_->forget_fetched();
  engine& e = inner();
  if (!monsters_->may_put_up(bytes)) {
    ++e.counts.blocked;
    return false;
  }
  const step s = step_to(static_cast<std::uint32_t>(pe));
  const std::size_t needed = packet_bytes(tag_bytes_, sizeof(bulk_ticket));
  if (static_cast<std::size_t>(s.to->limit - s.to->cursor) < needed && !make_room(*s.to)) {
    return false;
  }

  const auto ticket = monsters_->put_up(pe, {static_cast<const std::byte*>(item), bytes});
  if (!ticket) {
    ++e.counts.blocked;
    return false;
  }
  write_packet(s, descriptor(sizeof *ticket, true), &*ticket, sizeof *ticket);
  e.send_now(static_cast<std::uint32_t>(s.to - lanes_));
  ++pushes_;
  return true;
}

void elastic_core::write_delayed() {
  monsters_->forget_fetched();
  if (state() == conveyor_state::dormant) monsters_->end_session();
}

bool elastic_core::read_on() {
  stop_reading();
  return next_buffer();
}

void elastic_core::stop_reading() {
  last_ = nullptr;
  delivery_ = nullptr;  // notifies the sender
}

// Handles a packet that is a ticket, or follows a ticket.
elastic_core::arrived_item elastic_core::pull_special(std::uint32_t d) {
  const bool put_back = delivery_ != nullptr && delivered_by_ == read_;
  if (!put_back) delivery_ = nullptr;
  std::byte* packet = read_;
  const std::byte* payload = packet + tag_bytes_ + sizeof d;
  const std::size_t bytes = bytes_of(d);
  last_ = packet;
  ++pulls_;
  if (!is_ticket(d)) {
    read_ += packet_bytes(tag_bytes_, bytes);
    return {payload, bytes};
  }
  bulk_ticket ticket;
  std::memcpy(&ticket, payload, sizeof ticket);
  if (!put_back) delivery_ = monsters_->fetch(from(), ticket);
  delivered_by_ = packet;
  read_ += packet_bytes(tag_bytes_, bytes);
  return {delivery_->data(), ticket.bytes};
}

void elastic_core::refuse_alignment(std::size_t alignment) {
  throw argument_error("pull with the alignment " + std::to_string(alignment) +
                       ": give a power of two, at most " + std::to_string(max_alignment));
}

bool elastic_core::peek(std::size_t& bytes) {
  const std::byte* packet = read_ != read_limit_ ? read_ : inner().next_unread();
  if (packet == nullptr) return read_on();  // fails: counts as an unsuccessful pull
  const std::uint32_t d = load_word32(packet + tag_bytes_);
  bytes = bytes_of(d);
  if (is_ticket(d)) {
    bulk_ticket ticket;
    std::memcpy(&ticket, packet + tag_bytes_ + sizeof d, sizeof ticket);
    bytes = ticket.bytes;
  }
  return true;
}

bool elastic_core::unpull() {
  engine& e = inner();
  e.rules().require(operation::unpull);
  if (last_ == nullptr || state() == conveyor_state::complete) return false;
  read_ = last_;
  last_ = nullptr;
  ++e.counts.unpulls;
  return true;
}

statistics elastic_core::session_statistics() const {
  const engine& e = inner();
  statistics s = e.session_statistics();
  s.memory_bytes += monsters_->bytes();
  if (state() == conveyor_state::dormant) return s;
  s.pushes = pushes_;
  s.pulls = pulls_;
  return s;
}

}  // namespace boxcar::detail
