// A pe_helper does the background work of a PE while the PE computes, if the program has asked for
// a progress thread. The progress thread of the process works under a lock of the PE
// (progress_thread.hpp); the PE takes the lock when the PE works itself. Either thread sees the
// writes of the other: the release of the lock synchronises with the next acquisition.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace boxcar::detail {

class progress;
class progress_thread;

class background_work {
 public:
  // Does the work that is possible now, and does not wait. Returns false if there was no work.
  // Called by the progress thread, under the lock.
  virtual bool work() noexcept = 0;

 protected:
  ~background_work() = default;
};

class pe_helper {
 public:
  using lock = std::unique_lock<std::mutex>;

  // Returns the helper of a PE. The helper exists as long as any pointer to the helper. Throws
  // system_error.
  static std::shared_ptr<pe_helper> of(progress& pe);
  pe_helper();
  pe_helper(const pe_helper&) = delete;
  pe_helper& operator=(const pe_helper&) = delete;
  ~pe_helper();

  void add(background_work& w);
  // The thread does not execute `w` any more when `remove` returns.
  void remove(background_work& w);

  // Keeps the thread out while the PE works itself. Not to be held while the PE waits.
  [[nodiscard]] lock keep_out() { return lock(guard_); }
  // Records that the PE works itself, under the lock: the thread is not needed for a while.
  void pe_was_here() {
    was_visited_ = true;
    if (is_left_alone_) call_back();
  }

  // --- For the thread ----------------------------------------------------------------------------
  // Returns a lock, not owned if the PE has the lock: the PE then does everything itself.
  [[nodiscard]] lock try_to_keep_out() { return {guard_, std::try_to_lock}; }
  // Called under the lock, as are all functions below.
  [[nodiscard]] bool has_works() const { return !works_.empty(); }
  // Returns true if the PE has worked itself since the last call.
  [[nodiscard]] bool was_visited() { return std::exchange(was_visited_, false); }
  // Does all work. Returns false if there was no work.
  bool work();
  // `late`: the thread comes again late, and the PE calls the thread if the PE works itself.
  void leave_alone(bool late) { is_left_alone_ = late; }

 private:
  void call_back();

  std::mutex guard_;
  std::vector<background_work*> works_;
  bool was_visited_ = false;
  bool is_left_alone_ = false;
  std::shared_ptr<progress_thread> thread_;
};

}  // namespace boxcar::detail
