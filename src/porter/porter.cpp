#include "porter/porter.hpp"

#include <algorithm>

#include "porter/shared_memory_links.hpp"
#include "substrate/buffer_room.hpp"
#include "substrate/forked_child.hpp"

namespace boxcar::detail {
namespace {

// Reads and writes beyond the last packet are over when a buffer is sent: the trailer may use their
// room.
static_assert(sizeof(compression::trailer) <= tag_room);

// The fill, in bytes, from which on the cost of sending a buffer is small against its content.
constexpr std::size_t worth_sending = 4096;
// The maximum number of looks for which packets wait for more packets. The number is small, so that
// a PE waiting for a reply does not notice.
constexpr int max_patience = 15;

// Returns the link behind this PE's own position among the destinations of links, in ascending
// order. PEs of a node, with equal or adjacent positions, begin far from each other, so that their
// buffers go to different nodes, and different parts of the network.
std::uint32_t first_link(const substrate& world, const std::vector<int>& outgoing) {
  if (outgoing.empty()) return 0;
  const node_layout& nodes = world.layout();
  const auto place =
      static_cast<std::size_t>(std::ranges::upper_bound(outgoing, world.rank()) - outgoing.begin());
  const auto local = static_cast<std::size_t>(nodes.local_rank(world.rank()));
  const auto pes = static_cast<std::size_t>(nodes.local_size(nodes.node_of(world.rank())));
  return static_cast<std::uint32_t>((place + local * outgoing.size() / pes) % outgoing.size());
}

}  // namespace

porter::~porter() {
  if (world_.is_of_this_process()) return;
  keep_for_ever(std::move(remote_));
  keep_for_ever(std::move(local_));
}

porter::porter(substrate& world, link_plan plan, bool when_full, lane* lanes)
    : world_(world),
      // A PE writes its lanes with every packet: no other PE's data share a cache line with the
      // lanes.
      lane_memory_(lanes != nullptr
                       ? own_memory()
                       : own_memory(world, plan.memory, plan.outgoing.size() * sizeof(lane),
                                    "the ends of buffers")),
      lanes_(lanes != nullptr ? lanes : new(lane_memory_.data()) lane[plan.outgoing.size()]()),
      incoming_links_(plan.incoming.size()),
      buffer_bytes_(plan.buffer_bytes),
      when_full_(when_full),
      first_(first_link(world, plan.outgoing)) {
  plan.buffer_bytes = buffer_room(buffer_bytes_);
  plan.in_step = !when_full;
  const node_layout& nodes = world.layout();
  const auto is_local = [&, here = nodes.node_of(world.rank())](int pe) {
    return nodes.node_of(pe) == here;
  };
  link_plan local = plan;
  link_plan remote = plan;
  std::erase_if(local.outgoing, [&](int pe) { return !is_local(pe); });
  std::erase_if(local.incoming, [&](int pe) { return !is_local(pe); });
  std::erase_if(remote.outgoing, is_local);
  std::erase_if(remote.incoming, is_local);

  local_ = world.make_local_links(local);
  if (local_ == nullptr) local_ = make_shared_memory_links(world, local);
  if (nodes.nodes() > 1) remote_ = world.make_remote_links(remote);
  between_nodes_ = {remote.outgoing.size(), remote.incoming.size(), plan.buffer_bytes};

  int next_local = 0;
  int next_remote = 0;
  outgoing_.reserve(plan.outgoing.size());
  for (const int pe : plan.outgoing) {
    const bool near = is_local(pe);
    outgoing_.push_back({near ? local_.get() : remote_.get(), nullptr,
                         near ? next_local++ : next_remote++, near, false});
    outgoing_.back().pe = pe;
  }
  arrivals_.reserve(plan.incoming.size() * static_cast<std::size_t>(plan.buffers_per_link));
}

void porter::start_session(std::size_t packet_bytes) {
  capacity_bytes_ = packet_bytes == 0
                        ? buffer_bytes_
                        : std::max<std::size_t>(buffer_bytes_ / packet_bytes, 1) * packet_bytes;
  packet_bytes_ = packet_bytes;
  rounds_ = arrived_ = 0;
  log_ = world_.log().get();
  refused_ = false;
  statistics_ = {};
  open_incoming_ = incoming_links_;
  open_outgoing_ = outgoing_.size();
  for (outgoing& o : outgoing_) o.closed = false;
  local_->start_session();
  if (remote_ != nullptr) remote_->start_session();
  compression_ = nullptr;
}

void porter::compress_with(const std::shared_ptr<codec>& c, std::size_t tag_bytes,
                           std::size_t item_bytes) {
  if (remote_ == nullptr) return;
  const std::size_t packet_bytes = tag_bytes + item_bytes;
  compression_ = compression::planned_by(
      c, {tag_bytes, item_bytes, packet_bytes, capacity_bytes_ / packet_bytes}, between_nodes_);
}

bool porter::open(std::size_t link) {
  outgoing& o = outgoing_[link];
  o.buffer = o.set->open(o.link);
  if (o.buffer == nullptr) return false;
  lanes_[link] = {o.buffer, o.buffer + capacity_bytes_};
  moved_ = true;
  return true;
}

void porter::send(std::size_t link, bool last) {
  outgoing& o = outgoing_[link];
  const auto filled = static_cast<std::size_t>(lanes_[link].cursor - o.buffer);
  const std::size_t bytes =
      !o.local && compression_ != nullptr
          ? compression_->pack(static_cast<std::size_t>(o.link), o.buffer, filled)
          : filled;
  lanes_[link] = {nullptr, nullptr};
  o.buffer = nullptr;
  world_.worked({hop_ == 0 ? packet_work::kind::pushed : packet_work::kind::pivoted, filled,
                 packet_bytes_, outgoing_.size() * buffer_bytes_});
  o.set->send(o.link, bytes, last);
  (o.local ? statistics_.local_buffers : statistics_.remote_buffers) += 1;
  (o.local ? statistics_.local_bytes : statistics_.remote_bytes) += bytes;
  statistics_.saved_bytes += static_cast<std::int64_t>(filled) - static_cast<std::int64_t>(bytes);
  statistics_.capacity_bytes += capacity_bytes_;
  moved_ = true;
  if (log_ != nullptr) [[unlikely]]
    note_sent(o, filled, bytes, last);
}

void porter::note_sent(const outgoing& o, std::size_t filled, std::size_t bytes, bool last) const {
  log_->sent(traced_object_, hop_, world_.traced_rank(o.pe),
             {.bytes = bytes, .filled = filled, .room = capacity_bytes_},
             static_cast<std::uint8_t>((o.local ? trace_record::local : 0) |
                                       (last ? trace_record::last : 0)));
}

void porter::note_received(std::size_t before) const {
  for (std::size_t i = before; i < arrivals_.size(); ++i) {
    const arrival& a = arrivals_.at(i);
    log_->received(traced_object_, hop_, world_.traced_rank(a.source), a.bytes,
                   static_cast<std::uint8_t>((a.remote ? 0 : trace_record::local) |
                                             (a.last ? trace_record::last : 0)));
  }
}

bool porter::make_room(std::size_t link) {
  if (outgoing_[link].buffer != nullptr) {
    if (!when_full_) {
      refused_ = true;
      return false;
    }
    send(link, false);
  }
  return open(link);
}

void porter::send_now(std::size_t link) {
  send(link, false);
}

void porter::send_partly_filled() {
  visit_links([this](std::size_t link) {
    outgoing& o = outgoing_[link];
    const std::byte* const cursor = lanes_[link].cursor;
    if (waits_for_more(o, cursor) || cursor == o.buffer) return;
    if (poll_returned(link)) send(link, false);
  });
}

// A client with an advance after every few pushes would send a buffer for every few packets, the
// most expensive operation of all. The longer the client goes on, the longer its packets wait for
// each other; but no packet waits if none was added since the last look.
bool porter::waits_for_more(outgoing& o, const std::byte* cursor) {
  const bool has_grown = std::exchange(o.seen, cursor) != cursor;
  if (!has_grown || cursor == o.buffer) {
    o.waited = o.patience = 0;
    return false;
  }
  if (static_cast<std::size_t>(cursor - o.buffer) >= worth_sending) return false;
  if (o.waited < o.patience) {
    ++o.waited;
    return true;
  }
  o.waited = 0;
  o.patience = static_cast<std::uint8_t>(std::min(2 * o.patience + 1, max_patience));
  return false;
}

bool porter::close() {
  if (open_outgoing_ != 0) {
    visit_links([this](std::size_t link) {
      outgoing& o = outgoing_[link];
      if (o.closed || (o.buffer == nullptr && !open(link))) return;
      send(link, true);
      o.closed = true;
      --open_outgoing_;
    });
  }
  return open_outgoing_ == 0 && all_sent();
}

void porter::round() {
  visit_links([this](std::size_t link) {
    // There is a free buffer: the receiver has given back all but, at most, the buffers of one
    // round.
    while (outgoing_[link].buffer == nullptr && !open(link)) wait();
    send(link, false);
  });
  ++rounds_;
  refused_ = false;
  while (arrived_ < rounds_ * incoming_links_) {
    poll();
    if (moved()) {
      world_.busy();
    } else {
      wait();
    }
  }
}

void porter::wait() {
  world_.idle({.on = needs::any, .for_others = true, .world = world_.identity()});
}

std::uint64_t porter::unread_packets(std::size_t packet_bytes) const {
  std::uint64_t packets = 0;
  for (std::size_t i = 0; i < arrivals_.size(); ++i) {
    const arrival& a = arrivals_.at(i);
    const bool is_packed = packet_bytes == 0 || (a.remote && compression_ != nullptr);
    packets += is_packed ? (a.bytes != 0 ? 1 : 0) : a.bytes / packet_bytes;
  }
  return packets;
}

bool porter::lanes_empty() const {
  for (std::size_t link = 0; link < outgoing_.size(); ++link) {
    if (lanes_[link].cursor != outgoing_[link].buffer) return false;
  }
  return true;
}

void porter::poll() {
  const std::size_t before = arrivals_.size();
  local_->poll(arrivals_);
  const std::size_t remote = arrivals_.size();
  if (remote_ != nullptr) remote_->poll(arrivals_);
  for (std::size_t i = before; i < arrivals_.size(); ++i) {
    arrival& a = arrivals_.at(i);
    a.remote = i >= remote;
    if (a.last) --open_incoming_;
    ++arrived_;
    moved_ = true;
  }
  if (log_ != nullptr) [[unlikely]]
    note_received(before);
}

bool porter::poll_items() {
  // A buffer without packets carries only the mark of the last buffer.
  while (!arrivals_.empty() && arrivals_.at(0).bytes == 0) give_back(arrivals_.pop());
  return !arrivals_.empty();
}

bool porter::borrow(arrival& a) {
  if (!poll_items()) return false;
  a = arrivals_.pop();
  if (a.remote && compression_ != nullptr) compression_->unpack(a);
  return true;
}

void porter::give_back(const arrival& a) {
  const bool unpacked = a.remote && compression_ != nullptr;
  // (Pivots are counted where they write.)
  if (is_last_hop_) world_.worked({packet_work::kind::pulled, a.bytes, packet_bytes_});
  set_of(a).give_back(unpacked ? compression_->as_it_came(a) : a);
}

std::uint64_t porter::bytes_filled() const {
  std::uint64_t bytes = statistics_.packet_bytes();
  for (std::size_t link = 0; link < outgoing_.size(); ++link) {
    const std::byte* buffer = outgoing_[link].buffer;
    if (buffer != nullptr) bytes += static_cast<std::uint64_t>(lanes_[link].cursor - buffer);
  }
  return bytes;
}

std::size_t porter::memory_bytes() const {
  return local_->memory_bytes() + (remote_ == nullptr ? 0 : remote_->memory_bytes()) +
         outgoing_.size() * (sizeof(lane) + sizeof(outgoing)) + arrivals_.memory_bytes() +
         (compression_ == nullptr ? 0 : compression_->memory_bytes());
}

}  // namespace boxcar::detail
