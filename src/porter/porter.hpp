// All links of one hop on this PE: fills and sends buffers on those that start here, collects what
// arrives on those that end here, and knows when the hop is over.
//
// Which PEs the links lead to is the route's business, how a buffer gets there that of the link
// sets: links to PEs of this node go through shared memory, all others through the substrate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <boxcar/detail/lane.hpp>
#include <boxcar/statistics.hpp>

#include "porter/compression.hpp"
#include "substrate/own_memory.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

class porter {
 public:
  // Collective. See link_plan. A buffer holds `plan.buffer_bytes` of packets, but at least one.
  // `when_full`: a buffer is sent as soon as it is full; otherwise in rounds, all together.
  // `lanes`: where to keep them, one per outgoing link, in memory of this PE; on all PEs or none.
  porter(substrate& world, link_plan plan, bool when_full, lane* lanes = nullptr);
  porter(const porter&) = delete;
  porter& operator=(const porter&) = delete;
  ~porter();

  // Which hop it is, if it is not the only one.
  void be_hop(int hop, bool is_last) {
    hop_ = hop;
    is_last_hop_ = is_last;
  }
  // Of which object, for a trace.
  void be_traced_as(std::uint32_t object) { traced_object_ = object; }

  // Called by every PE before the first operation of a session. All packets have this size;
  // 0: they differ, and the lanes' limits are the ends of the buffers.
  void start_session(std::size_t packet_bytes);
  // To be called behind that, on all PEs or none, if packets have the same size: buffers to other
  // nodes are compressed in this session unless the codec refuses. Then only one arrival may be
  // borrowed at a time. Throws argument_error if what the codec plans cannot be.
  void compress_with(const std::shared_ptr<codec>& c, std::size_t tag_bytes,
                     std::size_t item_bytes);
  // What packets take that differ for the porter, but not for those who know what they hold: so
  // that worlds can tell what work they are.
  void count_packets_of(std::size_t bytes) { packet_bytes_ = bytes; }
  // Nothing is under way any more. What codecs remember of links is dropped.
  void end_session() { compression_ = nullptr; }

  // --- Filling -----------------------------------------------------------------------------------
  // One lane per outgoing link, in the order of the plan. Whoever fills checks for room, writes a
  // packet at the cursor and moves it on.
  [[nodiscard]] lane* lanes() { return lanes_; }
  [[nodiscard]] std::size_t links() const { return outgoing_.size(); }
  // Calls `visit` for each link, in an order of this PE's own, which others do not have: where all
  // PEs send on all their links at about the same time, they do not all send to the same one.
  template <typename Visit>
  void visit_links(const Visit& visit) const {
    for (std::size_t link = first_; link < links(); ++link) visit(link);
    for (std::size_t link = 0; link < first_; ++link) visit(link);
  }

  // A lane has no room: sends its buffer, if it has one, and opens the next. False if there is
  // none.
  bool make_room(std::size_t link);
  // Sends the open buffer of a link, full or not: it holds something urgent.
  void send_now(std::size_t link);
  // The receiver has read all that was sent on this link.
  [[nodiscard]] bool all_returned(std::size_t link) const {
    return outgoing_[link].set->all_returned(outgoing_[link].link);
  }
  // All that was sent is on its way, whatever this PE does next.
  [[nodiscard]] bool all_sent() { return remote_ == nullptr || remote_->all_sent(); }
  // Sends every buffer that holds packets and has nothing unread ahead of it on its link: nothing
  // waits here for longer than it takes the receiver to read what it has. But while packets are
  // added to a few from one call to the next, they wait for each other for some calls.
  void send_partly_filled();
  // Sends all that is left, with word that it is the last. To be called until it returns true: then
  // it is on its way, whatever this PE does next.
  bool close();

  // --- Rounds (synchronous kinds) ---------------------------------------------------------------
  // Every PE calls this equally often, when nobody has unread arrivals of this hop. Sends one
  // buffer on each link, empty or not, and waits until one has arrived on each.
  void round();
  // A packet had no room since the last round.
  [[nodiscard]] bool refused() const { return refused_; }
  // No lane holds a packet.
  [[nodiscard]] bool lanes_empty() const;

  // --- Reading -----------------------------------------------------------------------------------
  void poll();
  // The next arrival to read; must be given back. False if there is none.
  bool borrow(arrival& a);
  void give_back(const arrival& a);
  // Where the packets of the next arrival begin, as it came; nullptr if there is none.
  const std::byte* next_unread() { return has_items() ? arrivals_.at(0).data : nullptr; }
  // Every link that ends here has shown its last buffer; some may still have to be read.
  [[nodiscard]] bool over() const { return open_incoming_ == 0; }
  // Something that has arrived remains to be read.
  bool has_items();
  // How many packets of this size have arrived and are not borrowed; buffers count as one if
  // packets differ (0), or are compressed.
  [[nodiscard]] std::uint64_t unread_packets(std::size_t packet_bytes) const;

  // --- Accounts ----------------------------------------------------------------------------------
  // True if a buffer was opened, sent or received since the last call.
  bool moved() { return std::exchange(moved_, false); }
  // Bytes of packets written in this session, sent or not.
  [[nodiscard]] std::uint64_t bytes_filled() const;
  [[nodiscard]] const hop_statistics& statistics() const { return statistics_; }
  // How buffers travel to other nodes; the same on all PEs, or they misunderstand each other.
  [[nodiscard]] std::size_t form() const {
    return compression_ == nullptr ? 0 : 1 + compression_->data_offset();
  }
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  // What is known of an outgoing link beside its lane, and seldom needed.
  struct outgoing {
    link_set* set;
    std::byte* buffer;  // the open one, or nullptr
    int link;           // its number within the set
    bool local;
    bool closed;  // the last buffer of this session has been sent
    // Of a buffer that is sent partly filled: how far it was filled at the last look, for how many
    // looks it has waited for more, and for how many it may.
    const std::byte* seen = nullptr;
    std::uint8_t waited = 0;
    std::uint8_t patience = 0;
    int pe = 0;  // where it leads
  };

  link_set& set_of(const arrival& a) { return a.remote ? *remote_ : *local_; }
  bool open(std::size_t link);
  void send(std::size_t link, bool last);
  // More packets are to be expected for a buffer than the few that it has.
  static bool waits_for_more(outgoing& o, const std::byte* cursor);
  void wait();
  void note_sent(const outgoing& o, std::size_t filled, std::size_t bytes, bool last) const;
  void note_received(std::size_t before) const;

  substrate& world_;
  own_memory lane_memory_;  // if they are not kept elsewhere
  lane* lanes_;
  std::unique_ptr<link_set> local_;
  std::unique_ptr<link_set> remote_;  // null if all PEs are on one node
  std::vector<outgoing> outgoing_;
  std::size_t incoming_links_;
  std::size_t buffer_bytes_;        // wanted
  std::size_t capacity_bytes_ = 0;  // what a buffer can hold in whole packets
  std::size_t packet_bytes_ = 0;    // 0: packets differ
  bool when_full_;
  bool refused_ = false;
  std::uint32_t first_;  // link that is visited
  std::uint64_t rounds_ = 0;
  std::uint64_t arrived_ = 0;
  arrival_queue arrivals_;
  std::size_t open_incoming_ = 0;
  std::size_t open_outgoing_ = 0;
  bool moved_ = false;
  trace_log* log_ = nullptr;  // of this PE, in this session, if there is one
  int hop_ = 0;
  bool is_last_hop_ = true;
  std::uint32_t traced_object_ = 0;
  hop_statistics statistics_;
  compression::links between_nodes_;
  std::unique_ptr<compression> compression_;  // null unless this session's buffers are compressed
};

}  // namespace boxcar::detail
