// All stages of a stream's route on this PE, and what handlers sent while no buffer was free. Links
// are numbered through all stages, as in links_of_route.
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
  // Puts up a large array that was held back, which becomes its ticket. False if there is no room.
  using putting_up = std::function<bool(std::vector<std::byte>& array, std::uint32_t to,
                                        std::uint32_t& size_word)>;

  // Collective.
  stage_set(substrate& world, const stream_freight& what, const stream_configuration& chosen);
  stage_set(const stage_set&) = delete;
  stage_set& operator=(const stage_set&) = delete;

  void be_traced_as(std::uint32_t object);
  void start_session();

  [[nodiscard]] const links_of_route& links() const { return links_; }
  [[nodiscard]] track* tracks() { return tracks_.data(); }
  [[nodiscard]] int size() const { return static_cast<int>(stages_.size()); }

  // --- Filling -----------------------------------------------------------------------------------
  // Room for so many bytes of an item or an array, behind what was held back for the link before.
  bool find_room(std::uint32_t link, std::size_t bytes, const putting_up& put_up);
  void hold_back(std::uint32_t link, held_back::packet p) { waiting_.add(link, std::move(p)); }
  // Puts what was held back into buffers, as far as there are any.
  void release_held_back(const putting_up& put_up);
  void forget_held_back() { waiting_ = {}; }
  [[nodiscard]] std::size_t held_back_packets() const { return waiting_.size(); }
  // From now on no buffer has room, until they are opened again.
  void shut();
  void open_again();

  // --- Sending -----------------------------------------------------------------------------------
  // As of a stage.
  bool flush(bool all);
  // Sends the open buffer with the most items. False if none has any.
  bool send_fullest();
  // Sends all that is left, stage after stage. To be called until it returns true: nothing more
  // comes from here or arrives.
  bool close();
  // Items that have left in buffers since the last call.
  std::size_t take_departed();

  // --- Reading -----------------------------------------------------------------------------------
  void poll();
  // Works off what has arrived; `work_off` returns false if there was no room to pass it on. False
  // if there was nothing to do.
  template <typename WorkOff>
  bool work_off(const WorkOff& work_off) {
    bool any = false;
    // The last stage first: what it works off makes room for those before it.
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
  // Nothing is in a buffer, held back, or remains to be worked off.
  [[nodiscard]] bool nothing_held() const;
  bool moved();
  // Buffers, since the stream was made.
  [[nodiscard]] buffer_account account() const;
  // Into buffers, which may not have been sent yet.
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
  // The buffer that is open has room, or another one.
  bool make_room(std::uint32_t link, std::size_t bytes);
  void store(std::uint32_t link, const held_back::packet& p);
  void release(std::uint32_t link, const putting_up& put_up);

  substrate& world_;
  bool arrays_;
  links_of_route links_;
  std::vector<track> tracks_;
  std::vector<track> shut_;  // what the tracks were
  std::vector<std::unique_ptr<stage>> stages_;
  held_back waiting_;
  trace_log* log_ = nullptr;  // of this PE, in this session, if there is one
  std::uint32_t traced_object_ = 0;
};

}  // namespace boxcar::detail
