// The progress thread of a process makes progress for PEs while the PEs compute
// (progress_context.hpp). The thread serves the PEs in turn, each under the PE's own lock, so that
// the PEs do not exclude one another. The thread leaves alone a PE that works itself often enough,
// looks at each PE the later the longer there is nothing to do, and sleeps in between.
//
// Synchronisation, in each case by the release of a lock and its next acquisition:
// - The work of the thread for a PE, and the work of the PE itself: by the PE's lock. The thread
//   only tries to get the lock: a PE with the lock does everything itself.
// - The set of PEs and the times of their next looks: by the thread's own lock. Under the lock, the
//   thread goes to sleep only after it has compared all times, and a calling PE changes a time: no
//   call is missed. No work is done under the thread's lock.
// A PE's lock may be held when the thread's lock is acquired; in the other order a lock is only
// tried.
#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <sys/types.h>
#include <thread>

#include "substrate/attention.hpp"
#include "substrate/progress_context.hpp"

namespace boxcar::detail {

class progress_thread {
 public:
  // Returns the thread of this process. The thread exists as long as any pointer to the thread.
  // Throws system_error.
  static std::shared_ptr<progress_thread> of_this_process();
  progress_thread();
  progress_thread(const progress_thread&) = delete;
  progress_thread& operator=(const progress_thread&) = delete;
  ~progress_thread();

  void serve(progress_context& pe);
  // Called under the PE's lock, as is look_at_once.
  void leave(progress_context& pe);
  void look_at_once(progress_context& pe);

 private:
  using lock = std::unique_lock<std::mutex>;

  void go();
  // Works without the thread's lock.
  static void look_after(progress_context& pe, attention& its, lock& l);

  const pid_t process_;
  std::mutex guard_;
  std::condition_variable news_;
  std::map<progress_context*, attention> served_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace boxcar::detail
