// The links of a stage of a stream's route on a PE: a porter, and the layout of packets in its
// buffers.
//
// Items lie contiguously from the front of a buffer, hence each item is aligned, and a handler can
// get a reference to the item. The words that accompany an item lie at the back, the last word
// first: on inner stages the destination, and for arrays the number of bytes. (The thesis has items
// and words in separate arrays for the same reason, section 4.2, and sends the gap between them
// when a buffer is not full; here the words, the smaller part, are moved up to the items.) For
// arrays, the number of arrays follows the words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <boxcar/detail/arrived_items.hpp>
#include <boxcar/detail/track.hpp>
#include <boxcar/statistics.hpp>

#include "porter/porter.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

struct stage_layout {
  std::size_t item_bytes;  // of an item, or of an element of an array
  bool arrays;
  bool inner;  // later stages exist: destinations travel along

  [[nodiscard]] std::size_t words() const { return (inner ? 1U : 0U) + (arrays ? 1U : 0U); }
  // Returns the size of buffers of about `wished` bytes, at least for one item.
  [[nodiscard]] std::size_t buffer_bytes(std::size_t wished) const;
};

class stage {
 public:
  // Collective. `tracks` has one track per outgoing link, in the order of the plan.
  stage(substrate& world, link_plan plan, int number, const stage_layout& layout, track* tracks);

  void be_traced_as(std::uint32_t object) { porter_.be_traced_as(object); }
  // Called by every PE before the first operation of a session.
  void start_session();

  // --- Filling -----------------------------------------------------------------------------------
  [[nodiscard]] std::size_t links() const { return porter_.links(); }
  // Sends the full buffer of a link, and opens the next buffer. Returns false if none is free.
  bool make_room(std::size_t link);
  [[nodiscard]] std::size_t items_in(std::size_t link) const;
  // Sends the open buffer of a link. Precondition: the buffer is not empty.
  void send(std::size_t link);
  // Sends all buffers that are not empty; unless `all`, only buffers of links without unread
  // buffers. Returns whether there were any.
  bool flush(bool all);
  // Returns whether no buffer holds an item.
  [[nodiscard]] bool empty() const;
  // Sends all remaining buffers, marked as the last. Must be called until it returns true.
  bool close();
  // Returns the number of items that left in buffers since the last call.
  std::size_t take_departed() { return std::exchange(departed_, 0); }

  // --- Reading -----------------------------------------------------------------------------------
  void poll() { porter_.poll(); }
  // Returns the arrival to process, or nullptr. The arrival stays current until finish_current.
  arrived_items* current();
  // Returns the sender of the current arrival.
  [[nodiscard]] int current_source() const { return arrival_.source; }
  void finish_current();
  // Returns whether no arrival remains to be processed.
  [[nodiscard]] bool idle() { return !busy_ && !porter_.poll_items(); }
  [[nodiscard]] bool over() const { return porter_.over(); }

  // --- Accounts ----------------------------------------------------------------------------------
  bool moved() { return porter_.moved(); }
  // Return the buffers with items that were sent and that were processed, since the stream was
  // made.
  [[nodiscard]] std::uint64_t buffers_sent() const { return buffers_sent_; }
  [[nodiscard]] std::uint64_t buffers_received() const { return buffers_received_; }
  [[nodiscard]] std::uint64_t items_sent() const { return items_sent_; }
  [[nodiscard]] const hop_statistics& statistics() const { return porter_.statistics(); }
  [[nodiscard]] std::size_t links_used() const;
  [[nodiscard]] std::size_t memory_bytes() const { return porter_.memory_bytes(); }

 private:
  // Moves the words up to the items, and passes the size of the buffer to the porter.
  void seal(std::size_t link);
  [[nodiscard]] std::size_t trailer_bytes() const {
    return layout_.arrays ? sizeof(std::uint32_t) : 0;
  }
  [[nodiscard]] std::byte* words_end(std::byte* buffer) const {
    return buffer + buffer_bytes_ - trailer_bytes();
  }
  void open_items();
  const std::byte* aligned(const std::byte* data, std::size_t bytes);

  buffer_account& account_;
  stage_layout layout_;
  std::size_t buffer_bytes_;
  porter porter_;
  track* tracks_;
  std::vector<bool> used_;
  bool sealed_ = false;
  std::size_t departed_ = 0;
  std::uint64_t buffers_sent_ = 0;
  std::uint64_t buffers_received_ = 0;
  std::uint64_t items_sent_ = 0;
  bool busy_ = false;
  arrival arrival_;
  arrived_items items_;
  std::vector<std::byte> aligned_;
};

}  // namespace boxcar::detail
