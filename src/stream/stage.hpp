// The links of one stage of a stream's route on this PE: a porter, and where the packets lie in its
// buffers.
//
// From the front of a buffer on lie the items, one behind the other, so that each is where its
// alignment wants it and a handler can be given the item itself. What accompanies an item lies at
// the back, the last word first: on inner stages its destination, and for arrays the number of
// bytes. (The thesis has the two in separate arrays for the same reason, section 4.2, and sends the
// gap between them when a buffer is not full; here the words, the smaller part, are moved up to the
// items.) Behind the words of arrays lies how many there are.
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
  std::size_t item_bytes;  // of one size; of arrays: of an element
  bool arrays;
  bool inner;  // there are stages behind it: destinations travel along

  [[nodiscard]] std::size_t words() const { return (inner ? 1U : 0U) + (arrays ? 1U : 0U); }
  // What the buffers hold if they are to have about `wished` bytes, at least one item.
  [[nodiscard]] std::size_t buffer_bytes(std::size_t wished) const;
};

class stage {
 public:
  // Collective. `tracks`: one per outgoing link, in the order of the plan.
  stage(substrate& world, link_plan plan, int number, const stage_layout& layout, track* tracks);

  void be_traced_as(std::uint32_t object) { porter_.be_traced_as(object); }
  // Called by every PE before the first operation of a session.
  void start_session();

  // --- Filling -----------------------------------------------------------------------------------
  [[nodiscard]] std::size_t links() const { return porter_.links(); }
  // Sends the buffer of a link that is full, and opens the next. False if there is none.
  bool make_room(std::size_t link);
  [[nodiscard]] std::size_t items_in(std::size_t link) const;
  // Sends the open buffer of a link, which is not empty.
  void send(std::size_t link);
  // Sends every buffer that is not empty; or, unless `all`, those with nothing unread ahead of
  // them. Returns whether there was any.
  bool flush(bool all);
  // No buffer holds an item.
  [[nodiscard]] bool empty() const;
  // Sends all that is left, with word that it is the last. To be called until it returns true.
  bool close();
  // Items that left in buffers since the last call.
  std::size_t take_departed() { return std::exchange(departed_, 0); }

  // --- Reading -----------------------------------------------------------------------------------
  void poll() { porter_.poll(); }
  // What is to be worked off, or nullptr. It stays the same until it is `finished`.
  arrived_items* current();
  // The PE that it came from.
  [[nodiscard]] int current_source() const { return arrival_.source; }
  void finish_current();
  // Nothing that has arrived remains to be worked off.
  [[nodiscard]] bool idle() { return !busy_ && !porter_.has_items(); }
  [[nodiscard]] bool over() const { return porter_.over(); }

  // --- Accounts ----------------------------------------------------------------------------------
  bool moved() { return porter_.moved(); }
  // Buffers with items that were sent, and that were worked off, since the stream was made.
  [[nodiscard]] std::uint64_t buffers_sent() const { return buffers_sent_; }
  [[nodiscard]] std::uint64_t buffers_received() const { return buffers_received_; }
  [[nodiscard]] std::uint64_t items_sent() const { return items_sent_; }
  [[nodiscard]] const hop_statistics& statistics() const { return porter_.statistics(); }
  [[nodiscard]] std::size_t links_used() const;
  [[nodiscard]] std::size_t memory_bytes() const { return porter_.memory_bytes(); }

 private:
  // Moves the words up to the items, and tells the porter how long the buffer is.
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
