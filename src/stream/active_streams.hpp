// The streams of this PE that have a session. Whoever waits for anything keeps all of them going:
// the PE that it waits for may be waiting in one.
#pragma once

#include <vector>

#include "substrate/progress.hpp"

namespace boxcar::detail {

class stream_core;
struct buffer_account;

class active_streams final : public progressing {
 public:
  static active_streams& of_this_pe();

  void add(stream_core& s);
  void remove(stream_core& s);

  // One round of all of them, within progress::make.
  bool make_progress() override;
  [[nodiscard]] bool waits_for_time() const override;

  [[nodiscard]] bool empty() const { return streams_.empty(); }
  // Of those over a world, or over a part of it, none holds anything.
  [[nodiscard]] bool nothing_held(const buffer_account& world) const;
  // Sends what is in their buffers with nothing unread ahead of it. False if nothing was.
  bool flush_what_waits();

  // A handler of one of them is running: nothing may wait.
  [[nodiscard]] bool handling() const { return handling_ != 0; }
  void enter_handler() { ++handling_; }
  void leave_handler() { --handling_; }

 private:
  std::vector<stream_core*> streams_;
  int handling_ = 0;
};

}  // namespace boxcar::detail
