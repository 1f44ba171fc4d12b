// One PE's end of a stream, untyped: what streams of items of one size and of arrays have in
// common. What happens per item stands here, to be inlined; all else happens once per buffer or
// more rarely.
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

// What a stream is to carry.
struct stream_freight {
  std::size_t item_bytes;  // of an item, or of an element of an array
  bool arrays = false;
  std::size_t alignment = 1;           // of the elements of arrays
  std::size_t least_buffer_bytes = 1;  // that a buffer must have for what is no item
  type_identity type = {};             // of an item or element
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
  // Before another takes its place. Throws contract_error in the middle of a session, and the world
  // fails: nobody could end that any more.
  void require_replaceable();

  void flush();
  bool poll();
  void done(std::int64_t producers);

  [[nodiscard]] bool on() const;
  [[nodiscard]] stream_statistics session_statistics() const;
  [[nodiscard]] std::string explain() const;

  // For the streams of a PE among themselves: moves what can be moved, calls handlers for what has
  // arrived. False if there was nothing to do.
  bool progress();
  // Sends what is in the buffers: all of it, or what has nothing unread ahead. False if nothing
  // was.
  bool flush_what_waits(bool all);
  [[nodiscard]] bool nothing_held() const;
  [[nodiscard]] bool is_over_part_of(const buffer_account& world) const;
  // Something falls due by time.
  [[nodiscard]] bool waits_for_time() const;

 protected:
  // Collective. Throws argument_error on all PEs if the options cannot work or differ between PEs.
  stream_core(const world& w, const stream_freight& what, const stream_options& options);

  // A session is about to begin with buffers of another size, as tuning wants.
  virtual void buffers_changed();
  // Calls the handler for what is for this PE, and forwards the rest. False if there was no room.
  virtual bool work_off(arrived_items& c) = 0;
  // Everything has been handled everywhere: whether this PE is ready for the end, too.
  virtual bool ready_to_end() { return true; }
  // Puts up a large array that was held back, which becomes its ticket. False if there is no room.
  virtual bool put_up(std::vector<std::byte>& array, std::uint32_t to, std::uint32_t& size_word);

  [[nodiscard]] std::uint32_t link_to(std::uint32_t pe) const {
    if (links_to_ != nullptr) return links_to_[pe];
    return numbers_are_pes_ ? pe : far_links_->to(pe);
  }
  [[nodiscard]] bool is_inner(std::uint32_t link) const { return link < inner_links_; }

  [[nodiscard]] bool comes_with_destinations(int stage) const;
  [[nodiscard]] std::size_t buffer_bytes() const;
  [[nodiscard]] substrate& the_world() const;

  // Waits, unless this is called from a handler, until something holds that others bring about by
  // working off what they have been sent.
  void wait_outside_of_handlers(const std::function<bool()>& holds);
  // What a send does that finds no room. Outside of handlers it waits for some, and the handlers
  // may be called meanwhile. Within one it returns false at once: the caller holds the packet back.
  bool wait_for_room(std::uint32_t link, std::size_t bytes);
  // The same for what is passed on for others: it never waits.
  bool find_room(std::uint32_t link, std::size_t bytes);
  // Counts an item that will be held, if that is bounded. When there are as many as may be, the
  // fullest buffer leaves. If there is none, a send waits, but not within a handler; what is passed
  // on does not: false.
  void wait_to_hold_one_more();
  bool hold_one_more();
  // `size_word`: of an array.
  void hold_back(std::uint32_t link, const void* item, std::size_t bytes, std::uint32_t word,
                 std::uint32_t size_word = 0);
  // A large array for which there was no room where it waits to be fetched.
  void hold_back_whole(std::uint32_t link, std::span<const std::byte> array, std::uint32_t to);
  [[noreturn]] void refuse_send(int pe) const;

  // The links over which a broadcast goes on that has arrived over a stage, or comes from here.
  [[nodiscard]] const std::vector<std::uint16_t>& broadcast_links(int arrived_on) const;
  [[nodiscard]] bool broadcast_is_for_here(int arrived_on) const;
  // How many of them a broadcast has been put on that found no room for the rest.
  std::size_t& broadcasts_put(int stage);

  // The handler is about to be called, or has returned.
  void enter_handler();
  void leave_handler();
  // It has thrown; called where the exception is caught. The world has failed by that.
  void handler_failed();

  void count_handled(std::size_t items) { handled_ += items; }
  void count_forwarded(std::size_t items) { forwarded_ += items; }

  track* tracks_ = nullptr;                  // one per link, by stage
  bool numbers_are_pes_ = false;             // the link to a PE has its number; or
  const std::uint16_t* links_to_ = nullptr;  // they are listed by destination, or
  const link_table* far_links_ = nullptr;    // looked up where destinations are very many
  std::uint32_t pes_ = 0;                    // that may be sent to: none unless this PE may send
  std::uint32_t me_ = 0;
  std::uint32_t inner_links_ = 0;  // links of all stages but the last come first
  bool bounded_ = false;
  std::size_t held_ = 0;  // items in open buffers, if that is bounded
  std::size_t most_held_ = 0;

 private:
  struct parts;
  static std::unique_ptr<parts> make_parts(const world& w, const stream_freight& what,
                                           const stream_options& options);

  // How items set out may differ from session to session, if that is tuned.
  void note_links();
  void end();
  // Ends the session on this PE before its time: the world has failed by that. Returns the text.
  std::string fail_as(const char* what_happened);
  void throw_problem();
  void look_for_end();
  void require_nothing_left();
  void require_own_thread(const char* operation) const;
  // `waits`: this PE can do nothing else meanwhile. `for_others`: it is in vain if one has left.
  void keep_going(bool waits, bool for_others = true);
  void pause(bool waits, bool for_others);
  void close();
  bool make_way();
  void hold_no_more();
  // Items that have left are held no more.
  void settle_departures();

  std::unique_ptr<parts> parts_;
  std::uint64_t handled_ = 0;
  std::uint64_t forwarded_ = 0;
};

// Of a stream that has been moved from.
[[noreturn]] void refuse_moved_stream();

}  // namespace boxcar::detail
