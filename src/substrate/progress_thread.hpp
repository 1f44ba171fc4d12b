// The thread of a process that does what others may wait for while its PEs compute
// (pe_helper.hpp). It serves the PEs in turn, each under that PE's own lock, so that they do not
// exclude one another; it leaves alone a PE that comes by often enough, looks at each the later the
// longer there is nothing to do for it, and sleeps in between.
//
// Who synchronises with whom, each by the release of a lock and its next acquisition:
// - What the thread does for a PE, and what the PE does: by the PE's lock. The thread only tries to
//   get it: a PE that has it does everything itself.
// - Which PEs there are and when they are looked at, by the thread's own lock. The thread sleeps
//   under it only after it has compared all times, and a PE that calls it changes one under it: so
//   no call is missed. No work is done under it.
// A PE's lock may be held when the thread's is acquired; the other way round it is only tried.
#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <sys/types.h>
#include <thread>

#include "substrate/attention.hpp"
#include "substrate/pe_helper.hpp"

namespace boxcar::detail {

class progress_thread {
 public:
  // The one that exists for as long as somebody keeps it. Throws system_error.
  static std::shared_ptr<progress_thread> of_this_process();
  progress_thread();
  progress_thread(const progress_thread&) = delete;
  progress_thread& operator=(const progress_thread&) = delete;
  ~progress_thread();

  void serve(pe_helper& pe);
  // Both under the PE's lock.
  void leave(pe_helper& pe);
  void look_at_once(pe_helper& pe);

 private:
  using lock = std::unique_lock<std::mutex>;

  void go();
  // Without the thread's lock while it works.
  static void look_after(pe_helper& pe, attention& its, lock& l);

  const pid_t process_;
  std::mutex guard_;
  std::condition_variable news_;
  std::map<pe_helper*, attention> served_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace boxcar::detail
