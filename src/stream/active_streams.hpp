// The streams of a PE that have a session. A PE that waits for anything makes progress on all of
// its streams: the awaited PE may be waiting in a stream.
#pragma once

#include <vector>

#include "substrate/progress.hpp"

namespace boxcar::detail {

class stream_core;
struct buffer_account;

class active_streams final : public pollable {
 public:
  static active_streams& of_this_pe();

  void add(stream_core& s);
  void remove(stream_core& s);

  // Polls each stream once, within progress::make.
  bool make_progress() override;
  [[nodiscard]] bool waits_for_time() const override;

  [[nodiscard]] bool empty() const { return streams_.empty(); }
  // Returns whether no stream over a world, or over a part of the world, holds data.
  [[nodiscard]] bool nothing_held(const buffer_account& world) const;
  // Sends the partly filled buffers of links without unread buffers. Returns false if there are
  // none.
  bool flush_what_waits();

  // Returns whether a handler of a stream is running: then the PE may not wait.
  [[nodiscard]] bool handling() const { return handling_ != 0; }
  void enter_handler() { ++handling_; }
  void leave_handler() { --handling_; }

 private:
  std::vector<stream_core*> streams_;
  int handling_ = 0;
};

}  // namespace boxcar::detail
