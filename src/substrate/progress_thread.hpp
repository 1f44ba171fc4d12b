// A thread beside a PE that does what others may wait for while the PE computes, where the program
// has asked for one. What it does is done under a lock; the PE takes the same lock when it does it
// itself. The thread sleeps in between, longer the longer there is nothing to do, and leaves alone
// a PE that comes by often enough.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace boxcar::detail {

class progress;

class background_work {
 public:
  // Does what can be done now and waits for nothing. False if there was nothing to do. Called by
  // the thread, under the lock.
  virtual bool work() noexcept = 0;

 protected:
  ~background_work() = default;
};

class progress_thread {
 public:
  // That of a PE, which exists for as long as somebody keeps it. Throws system_error.
  static std::shared_ptr<progress_thread> of(progress& pe);
  progress_thread();
  progress_thread(const progress_thread&) = delete;
  progress_thread& operator=(const progress_thread&) = delete;
  ~progress_thread();

  void add(background_work& w);
  // Nothing of it is going on any more when this returns.
  void remove(background_work& w);

  // For what the PE does itself. Not to be held while it waits.
  [[nodiscard]] std::unique_lock<std::mutex> keep_out() { return std::unique_lock(guard_); }
  // The PE does it itself, under the lock: the thread is not needed for a while.
  void pe_was_here() {
    ++visits_;
    if (naps_long_) news_.notify_one();
  }

 private:
  void go();
  bool work();

  std::mutex guard_;
  std::condition_variable news_;
  std::vector<background_work*> works_;
  std::uint64_t visits_ = 0;
  std::uint64_t visits_seen_ = 0;
  bool naps_long_ = false;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace boxcar::detail
