// The stream core is the untyped end of a stream on one PE, common to streams of items of one size
// and streams of arrays. The code that runs per item is in the header, to be inlined; all other
// code runs once per buffer or more rarely.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <boxcar/detail/arrived_items.hpp>
#include <boxcar/detail/link_table.hpp>
#include <boxcar/detail/track.hpp>
#include <boxcar/detail/type_identity.hpp>
#include <boxcar/session.hpp>
#include <boxcar/stream_options.hpp>
#include <boxcar/stream_statistics.hpp>
#include <boxcar/termination.hpp>
#include <boxcar/world.hpp>

namespace boxcar::detail {

class substrate;
struct buffer_account;

// The items or arrays that a stream carries.
struct stream_item_format {
  std::size_t item_bytes;  // of an item, or of an element of an array
  bool arrays = false;
  std::size_t alignment = 1;         // of the elements of arrays
  std::size_t min_buffer_bytes = 1;  // the minimum room of a buffer for data other than items
  type_identity type = {};           // of an item or element
};

class stream_core : public session_owner {
 public:
  stream_core(const stream_core&) = delete;
  stream_core& operator=(const stream_core&) = delete;
  virtual ~stream_core();

  // Collective.
  void begin(const termination& ending);
  void finish();
  void leave(bool quietly) override;
  // Called before another stream takes the stream's place. Throws contract_error in the middle of a
  // session, and the world fails: no PE could end the session any more.
  void require_replaceable();

  void flush();
  bool poll();
  void done(std::int64_t producers);

  [[nodiscard]] bool on() const;
  [[nodiscard]] stream_statistics session_statistics() const;
  [[nodiscard]] std::string explain() const;

  // Names the stream over which the handlers of this stream send. Sessions by counting end only
  // when the coupled stream holds nothing either and nothing of the coupled stream is in flight.
  // Handlers are not called while the coupled stream keeps many packets without a buffer: so the
  // senders of this stream feel the backpressure of the coupled stream. Preconditions: no session;
  // the coupled stream belongs to the same world, outlives the last session, and makes progress
  // without this stream.
  void couple_with(const stream_core& coupled) { coupled_ = &coupled; }
  // Local. Adds a text to the name of the stream in traces: "calls of remote function f".
  void set_purpose(std::string purpose);

  // For the streams of a PE among themselves: makes progress, and calls handlers for arrived items.
  // Returns false if there was nothing to do.
  bool progress();
  // Sends buffers: all, or the buffers with nothing unread ahead. Returns false if there was
  // nothing to send.
  bool flush_what_waits(bool all);
  [[nodiscard]] bool nothing_held() const;
  // Returns the number of packets that found no buffer in a handler.
  [[nodiscard]] std::size_t num_held_back() const;
  // Waits, unless called from a handler, until a condition holds that other PEs make true by
  // handling their arrivals.
  void wait_outside_of_handlers(const std::function<bool()>& holds);
  [[nodiscard]] bool is_over_part_of(const buffer_account& world) const;
  // Returns the number of items that the PE has handled and forwarded in the session.
  [[nodiscard]] std::uint64_t worked_off() const { return handled_ + forwarded_; }
  // Returns whether the stream has work that falls due by time.
  [[nodiscard]] bool waits_for_time() const;
  // Returns whether this is the core of streams that have been moved from (item_stream_owner.hpp).
  [[nodiscard]] bool is_moved_from() const { return parts_ == nullptr; }

 protected:
  // Makes the core of streams that have been moved from.
  stream_core() noexcept;
  // Collective. Throws argument_error on all PEs if the options cannot work or differ between PEs.
  stream_core(const world& w, const stream_item_format& what, const stream_options& options);

  // Called before a session with buffers of another size begins, as chosen by tuning.
  virtual void buffers_changed();
  // Calls the handler for items to the PE, and forwards the other items. Returns false if there was
  // no room.
  virtual bool work_off(arrived_items& c) = 0;
  // Called when everything has been handled everywhere. Returns whether the PE is ready for the end
  // as well.
  virtual bool ready_to_end() { return true; }
  // Registers a large array that was held back for the receiver's fetch, and replaces the array by
  // its ticket. Returns false if there is no room.
  virtual bool put_up(std::vector<std::byte>& array, std::uint32_t to, std::uint32_t& size_word);

  [[nodiscard]] std::uint32_t link_to(std::uint32_t pe) const {
    if (links_to_ != nullptr) return links_to_[pe];
    return numbers_are_pes_ ? pe : far_links_->to(pe);
  }
  [[nodiscard]] bool is_inner(std::uint32_t link) const { return link < inner_links_; }

  [[nodiscard]] bool comes_with_destinations(int stage) const;
  [[nodiscard]] std::size_t buffer_bytes() const;
  [[nodiscard]] substrate& the_world() const;

  // Called by a send that finds no room. Outside of handlers the function waits for room, and the
  // handlers may be called meanwhile. Within a handler the function returns false immediately: the
  // caller holds the packet back.
  bool wait_for_room(std::uint32_t link, std::size_t bytes);
  // As wait_for_room, for forwarded packets: never waits.
  bool find_room(std::uint32_t link, std::size_t bytes);
  // `wait_to_hold_one_more` and `hold_one_more` count an item that will be held; called if the
  // number of held items is bounded. At the bound, the fullest buffer is sent. If no buffer can be
  // sent, `wait_to_hold_one_more` waits, except within a handler; `hold_one_more`, for forwarded
  // items, returns false.
  void wait_to_hold_one_more();
  bool hold_one_more();
  // Holds a packet back; `size_word` is the size word of an array.
  void hold_back(std::uint32_t link, const void* item, std::size_t bytes, std::uint32_t word,
                 std::uint32_t size_word = 0);
  // Holds back a large array without room to wait for the receiver's fetch.
  void hold_back_whole(std::uint32_t link, std::span<const std::byte> array, std::uint32_t to);
  [[noreturn]] void refuse_send(int pe) const;

  // Returns the links over which a broadcast goes on that has arrived over a stage, or comes from
  // the PE itself.
  [[nodiscard]] const std::vector<std::uint16_t>& broadcast_links(int arrived_on) const;
  [[nodiscard]] bool broadcast_is_for_here(int arrived_on) const;
  // The number of links on which a broadcast has been put that found no room on the remaining
  // links.
  std::size_t& broadcasts_put(int stage);

  // Calls `work`, which calls handlers for arrived items, and returns the result. If a handler
  // throws, the world fails, and the exception leaves the function.
  template <typename Work>
  bool work_in_handler(const Work& work) {
    enter_handler();
    bool all = false;
    try {
      all = work();
    } catch (...) {
      handler_failed();
      throw;
    }
    leave_handler();
    return all;
  }
  void count_handled(std::size_t items) { handled_ += items; }
  void count_forwarded(std::size_t items) { forwarded_ += items; }

  track* tracks_ = nullptr;                  // one per link, by stage
  bool numbers_are_pes_ = false;             // the link to a PE has the PE's number; or
  std::uint32_t direct_pes_ = 0;             // `pes_`, if so and not `bounded_`; otherwise 0
  const std::uint16_t* links_to_ = nullptr;  // links are listed by destination, or
  const link_table* far_links_ = nullptr;    // looked up where there are very many destinations
  std::uint32_t pes_ = 0;                    // the PEs that may be sent to; 0: sending is illegal
  std::uint32_t me_ = 0;
  std::uint32_t inner_links_ = 0;  // links of all stages but the last come first
  bool bounded_ = false;
  std::size_t held_ = 0;  // items in open buffers, if bounded
  std::size_t most_held_ = 0;

 private:
  struct parts;
  void enter_handler();
  void leave_handler();
  // Called where an exception of the handler is caught. The world has failed by the exception.
  void handler_failed();
  static std::unique_ptr<parts> make_parts(const world& w, const stream_item_format& what,
                                           const stream_options& options);

  // Allows sends to that many PEs from now on; 0: none.
  void allow_sends_to(std::uint32_t pes);
  // Updates the links after a change: with tuning, items may travel differently from session to
  // session.
  void note_links();
  void end();
  // Ends the session on the PE before its time: the world has failed. Returns the text.
  std::string fail_as(const char* what_happened);
  void throw_problem();
  void look_for_end();
  void require_nothing_left();
  void require_own_thread(const char* operation) const;
  // `waits`: the PE can do nothing else meanwhile. `for_others`: waiting is in vain if another PE
  // has left.
  void keep_going(bool waits, bool for_others = true);
  void pause(bool waits, bool for_others);
  void close();
  bool make_way();
  void hold_no_more();
  // Stops counting sent items as held.
  void settle_departures();

  std::unique_ptr<parts> parts_;
  const stream_core* coupled_ = nullptr;
  std::uint64_t handled_ = 0;
  std::uint64_t forwarded_ = 0;
};

// Throws the error of a stream that has been moved from.
[[noreturn]] void refuse_moved_stream();

}  // namespace boxcar::detail
