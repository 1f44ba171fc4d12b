// All stages of a stream's route on a PE, and the packets that handlers sent while no buffer was
// free. Links are numbered over all stages, as in links_of_route.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <boxcar/detail/track.hpp>

#include "route/links_of_route.hpp"
#include "stream/held_back.hpp"
#include "stream/stage.hpp"
#include "stream/stream_configuration.hpp"
#include "substrate/buffer_account.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

class stage_set {
 public:
  // Offers a large array that was held back, and replaces the array by its ticket. Returns false if
  // there is no room.
  using putting_up = std::function<bool(std::vector<std::byte>& array, std::uint32_t to,
                                        std::uint32_t& size_word)>;

  // Collective.
  stage_set(substrate& world, const stream_item_format& what, const stream_configuration& chosen);
  stage_set(const stage_set&) = delete;
  stage_set& operator=(const stage_set&) = delete;

  void be_traced_as(std::uint32_t object);
  void start_session();

  [[nodiscard]] const links_of_route& links() const { return links_; }
  [[nodiscard]] track* tracks() { return tracks_.data(); }
  [[nodiscard]] int size() const { return static_cast<int>(stages_.size()); }

  // --- Filling -----------------------------------------------------------------------------------
  // Makes room for an item or an array of `bytes` bytes, behind packets held back for the link.
  // Returns false if there is no room.
  bool find_room(std::uint32_t link, std::size_t bytes, const putting_up& put_up);
  void hold_back(std::uint32_t link, held_back::packet p) { waiting_.add(link, std::move(p)); }
  // Moves packets that were held back into buffers, as far as buffers are free.
  void release_held_back(const putting_up& put_up);
  void forget_held_back() { waiting_ = {}; }
  [[nodiscard]] std::size_t held_back_packets() const { return waiting_.size(); }
  // From shut to open_again, no buffer has room.
  void shut();
  void open_again();

  // --- Sending -----------------------------------------------------------------------------------
  // See stage::flush.
  bool flush(bool all);
  // Sends the open buffer with the most items. Returns false if no buffer has items.
  bool send_fullest();
  // Sends all remaining buffers, stage after stage. Must be called until it returns true: the PE
  // sends nothing more, and nothing more arrives.
  bool close();
  // Returns the number of items that have left in buffers since the last call.
  std::size_t take_departed();

  // --- Reading -----------------------------------------------------------------------------------
  void poll();
  // Processes arrivals; `work_off` returns false if there was no room to forward an item. Returns
  // false if there was nothing to do.
  template <typename WorkOff>
  bool work_off(const WorkOff& work_off) {
    bool any = false;
    // The last stage comes first: its work makes room for earlier stages.
    for (std::size_t i = stages_.size(); i-- > 0;) {
      stage& s = *stages_[i];
      while (arrived_items* c = s.current()) {
        if (log_ == nullptr ? !work_off(*c) : !note_work_off(work_off, s, *c)) break;
        s.finish_current();
        any = true;
      }
    }
    return any;
  }

  // --- Accounts ----------------------------------------------------------------------------------
  // Returns whether no data are in a buffer, held back, or waiting to be processed.
  [[nodiscard]] bool nothing_held() const;
  bool moved();
  // Returns the buffers sent and received since the stream was made.
  [[nodiscard]] buffer_account account() const;
  // Returns the items written into buffers, sent or not.
  [[nodiscard]] std::uint64_t items_written() const;
  void describe(stream_statistics& s) const;

 private:
  template <typename WorkOff>
  bool note_work_off(const WorkOff& work_off, const stage& s, arrived_items& c) {
    const std::size_t before = c.left;
    const std::int64_t since = log_->enter();
    const bool all = work_off(c);
    log_->handled(since, traced_object_, c.stage, world_.traced_rank(s.current_source()),
                  before - c.left);
    return all;
  }
  [[nodiscard]] stage& stage_of(std::uint32_t link) { return *stages_[links_.stage_of(link)]; }
  [[nodiscard]] bool is_inner(std::uint32_t link) const {
    return links_.stage_of(link) + 1 < stages_.size();
  }
  // Returns true if the open buffer has room, or another buffer could be opened.
  bool make_room(std::uint32_t link, std::size_t bytes);
  void store(std::uint32_t link, const held_back::packet& p);
  void release(std::uint32_t link, const putting_up& put_up);

  substrate& world_;
  bool arrays_;
  links_of_route links_;
  std::vector<track> tracks_;
  std::vector<track> shut_;  // the tracks before `shut`
  std::vector<std::unique_ptr<stage>> stages_;
  held_back waiting_;
  trace_log* log_ = nullptr;  // of the PE, in the current session; nullptr if there is none
  std::uint32_t traced_object_ = 0;
};

}  // namespace boxcar::detail
