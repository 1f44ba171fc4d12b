// The porter drives all links of one hop on this PE: it fills and sends buffers on the outgoing
// links, collects the arrivals of the incoming links, and detects the end of the hop.
//
// The route selects the PEs at the ends of the links. The link sets transport the buffers: links to
// PEs of this node go through shared memory, all other links through the substrate.
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
  // Collective. See link_plan. A buffer holds `plan.buffer_bytes` of packets, but at least one
  // packet. `when_full`: a full buffer is sent at once; otherwise all buffers are sent together, in
  // rounds. `lanes`: the memory of the lanes, one per outgoing link, owned by this PE; given on all
  // PEs or none.
  porter(substrate& world, link_plan plan, bool when_full, lane* lanes = nullptr);
  porter(const porter&) = delete;
  porter& operator=(const porter&) = delete;
  ~porter();

  // Sets the number of the hop, if the route has several hops.
  void be_hop(int hop, bool is_last) {
    hop_ = hop;
    is_last_hop_ = is_last;
  }
  // Sets the number of the object in a trace.
  void be_traced_as(std::uint32_t object) { traced_object_ = object; }

  // Called by every PE before the first operation of a session. All packets have `packet_bytes`
  // bytes; 0: sizes differ, and the lanes' limits are the ends of the buffers.
  void start_session(std::size_t packet_bytes);
  // Called after `start_session`, on all PEs or none, if packets have the same size: buffers to
  // other nodes are compressed in this session unless the codec refuses. Then only one arrival may
  // be borrowed at a time. Throws argument_error if the plan of the codec is impossible.
  void compress_with(const std::shared_ptr<codec>& c, std::size_t tag_bytes,
                     std::size_t item_bytes);
  // Sets the packet size for the account of work (`substrate::worked`), where packets differ for
  // the porter, but have a common size for its owner.
  void count_packets_of(std::size_t bytes) { packet_bytes_ = bytes; }
  // Ends the session; nothing is in flight any more. Drops the codec's state of links.
  void end_session() { compression_ = nullptr; }

  // --- Filling -----------------------------------------------------------------------------------
  // Returns one lane per outgoing link, in the order of the plan. The caller checks for room,
  // writes a packet at the cursor and advances the cursor.
  [[nodiscard]] lane* lanes() { return lanes_; }
  [[nodiscard]] std::size_t links() const { return outgoing_.size(); }
  // Calls `visit` for each link, in an order specific to this PE: where all PEs send on all their
  // links at about the same time, they begin with different destinations.
  template <typename Visit>
  void visit_links(const Visit& visit) const {
    for (std::size_t link = first_; link < links(); ++link) visit(link);
    for (std::size_t link = 0; link < first_; ++link) visit(link);
  }

  // Makes room in a full lane: sends its buffer, if there is one, and opens the next. Returns false
  // if no buffer is available.
  bool make_room(std::size_t link);
  // Sends the open buffer of a link, full or not, because the content is urgent.
  void send_now(std::size_t link);
  // Returns true if the receiver has read all buffers sent on the link.
  [[nodiscard]] bool poll_returned(std::size_t link) const {
    return outgoing_[link].set->poll_returned(outgoing_[link].link);
  }
  // Returns true if every sent buffer will arrive without a further call of this PE.
  [[nodiscard]] bool all_sent() { return remote_ == nullptr || remote_->all_sent(); }
  // Sends every buffer with packets and no unread buffer ahead on its link: no packet waits here
  // for longer than the receiver takes to read the earlier buffers. But while packets are added to
  // a few from one call to the next, the packets wait for each other for some calls.
  void send_partly_filled();
  // Sends the last buffer of every link, marked as the last. Must be called until `close` returns
  // true: then all buffers will arrive without a further call of this PE.
  bool close();

  // --- Rounds (synchronous kinds) ---------------------------------------------------------------
  // Every PE calls `round` equally often, when no PE has unread arrivals of this hop. Sends a
  // buffer on each outgoing link, empty or not, and waits for a buffer from each incoming link.
  void round();
  // Returns true if a packet found no room since the last round.
  [[nodiscard]] bool refused() const { return refused_; }
  // Returns true if no lane holds a packet.
  [[nodiscard]] bool lanes_empty() const;

  // --- Reading -----------------------------------------------------------------------------------
  void poll();
  // Takes the next arrival to read, to be given back. Returns false if there is none.
  bool borrow(arrival& a);
  void give_back(const arrival& a);
  // Returns the first packet of the next arrival, before decompression; nullptr if there is none.
  const std::byte* next_unread() { return poll_items() ? arrivals_.at(0).data : nullptr; }
  // Returns true if the last buffer of every incoming link has arrived; buffers may be unread.
  [[nodiscard]] bool over() const { return open_incoming_ == 0; }
  // Gives back arrivals without packets. Returns true if an arrival remains to be read.
  bool poll_items();
  // Returns the number of packets of this size in arrivals not borrowed yet; a buffer counts as one
  // packet if sizes differ (0) or the buffer is compressed.
  [[nodiscard]] std::uint64_t unread_packets(std::size_t packet_bytes) const;

  // --- Accounts ----------------------------------------------------------------------------------
  // Returns true if a buffer was opened, sent or received since the last call.
  bool moved() { return std::exchange(moved_, false); }
  // Returns the bytes of packets written in this session, sent or not.
  [[nodiscard]] std::uint64_t bytes_filled() const;
  [[nodiscard]] const hop_statistics& statistics() const { return statistics_; }
  // Returns the wire format of buffers to other nodes; must be the same on all PEs.
  [[nodiscard]] std::size_t form() const {
    return compression_ == nullptr ? 0 : 1 + compression_->data_offset();
  }
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  // The state of an outgoing link beside its lane; seldom accessed.
  struct outgoing {
    link_set* set;
    std::byte* buffer;  // the open buffer, or nullptr
    int link;           // number within the set
    bool local;
    bool closed;  // the last buffer of this session has been sent
    // The state of a partly filled buffer: its fill at the last look, the number of looks for which
    // the buffer has waited for more packets, and the maximum of the number.
    const std::byte* seen = nullptr;
    std::uint8_t waited = 0;
    std::uint8_t patience = 0;
    int pe = 0;  // at the other end
  };

  link_set& set_of(const arrival& a) { return a.remote ? *remote_ : *local_; }
  bool open(std::size_t link);
  void send(std::size_t link, bool last);
  // Returns true if a buffer with few packets should wait for more packets.
  static bool waits_for_more(outgoing& o, const std::byte* cursor);
  void wait();
  void note_sent(const outgoing& o, std::size_t filled, std::size_t bytes, bool last) const;
  void note_received(std::size_t before) const;

  substrate& world_;
  own_memory lane_memory_;  // of `lanes_`, unless the lanes are kept elsewhere
  lane* lanes_;
  std::unique_ptr<link_set> local_;
  std::unique_ptr<link_set> remote_;  // null if all PEs are on one node
  std::vector<outgoing> outgoing_;
  std::size_t incoming_links_;
  std::size_t buffer_bytes_;        // wanted
  std::size_t capacity_bytes_ = 0;  // of whole packets in a buffer
  std::size_t packet_bytes_ = 0;    // 0: packets differ
  bool when_full_;
  bool refused_ = false;
  std::uint32_t first_;  // link to be visited
  std::uint64_t rounds_ = 0;
  std::uint64_t arrived_ = 0;
  arrival_queue arrivals_;
  std::size_t open_incoming_ = 0;
  std::size_t open_outgoing_ = 0;
  bool moved_ = false;
  trace_log* log_ = nullptr;  // of the PE, in the current session; nullptr if there is none
  int hop_ = 0;
  bool is_last_hop_ = true;
  std::uint32_t traced_object_ = 0;
  hop_statistics statistics_;
  compression::links between_nodes_;
  std::unique_ptr<compression> compression_;  // null unless this session's buffers are compressed
};

}  // namespace boxcar::detail
