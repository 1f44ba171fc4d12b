// The streams of this PE that have a session. Whoever waits in one of them keeps all of them going:
// the PE that it waits for may be waiting in another one. A PE is a thread, so this is one object
// per thread.
#pragma once

#include <vector>

namespace boxcar::detail {

class stream_core;
struct buffer_account;

class active_streams {
 public:
  static active_streams& of_this_pe();

  void add(stream_core& s) { streams_.push_back(&s); }
  void remove(stream_core& s) { std::erase(streams_, &s); }

  // One round of all of them. False if none had anything to do.
  bool progress();

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
