// The idle flush sends the open buffers of two streams when the PE has nothing else to do: a caller
// waits for a reply, wherever the PEs on the way are waiting. A link with unread buffers is left
// alone, because more items are gathered meanwhile.
#pragma once

#include <cstdint>

#include <boxcar/detail/stream_core.hpp>

#include "substrate/progress.hpp"

namespace boxcar::detail {

class idle_flush final : public pollable {
 public:
  // Precondition: the streams outlive the flush.
  idle_flush(stream_core& calls, stream_core& replies) : calls_(calls), replies_(replies) {}
  idle_flush(const idle_flush&) = delete;
  idle_flush& operator=(const idle_flush&) = delete;
  ~idle_flush() { stop(); }

  // Local. Called when a session of the streams begins, and ends.
  void start() {
    stop();
    home_ = &progress::of_this_pe();
    home_->add(*this);
  }
  void stop() {
    if (home_ != nullptr && !progress::is_gone()) home_->remove(*this);
    home_ = nullptr;
  }

  bool make_progress() override {
    const std::uint64_t before = worked_off_;
    worked_off_ = calls_.worked_off() + replies_.worked_off();
    if (worked_off_ != before) return false;
    bool any = false;
    for (stream_core* s : {&calls_, &replies_}) any |= s->on() && s->flush_what_waits(false);
    return any;
  }
  // A buffer may have to wait until the buffer ahead has been read, and no PE rings then.
  [[nodiscard]] bool waits_for_time() const override {
    return (calls_.on() && !calls_.nothing_held()) || (replies_.on() && !replies_.nothing_held());
  }

 private:
  stream_core& calls_;
  stream_core& replies_;
  std::uint64_t worked_off_ = 0;
  progress* home_ = nullptr;  // nullptr: there is no session
};

}  // namespace boxcar::detail
