// The progress_context of a PE does the background work while the PE computes, if the program has
// asked for a progress thread. The progress thread of the process works under a lock of the PE
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

class background_task {
 public:
  // Does the work that is possible now, and does not wait. Returns false if there was no work.
  // Called by the progress thread, under the lock.
  virtual bool work() noexcept = 0;

 protected:
  ~background_task() = default;
};

class progress_context {
 public:
  using lock = std::unique_lock<std::mutex>;

  // Returns the context of a PE. The context exists as long as any pointer to the context. Throws
  // system_error.
  static std::shared_ptr<progress_context> of(progress& pe);
  progress_context();
  progress_context(const progress_context&) = delete;
  progress_context& operator=(const progress_context&) = delete;
  ~progress_context();

  void add(background_task& w);
  // The thread does not execute `w` any more when `remove` returns.
  void remove(background_task& w);

  // Keeps the thread out while the PE works itself. Not to be held while the PE waits.
  [[nodiscard]] lock acquire_lock() { return lock(guard_); }
  // Records that the PE works itself, under the lock: the thread is not needed for a while.
  void note_pe_progress() {
    has_pe_progressed_ = true;
    if (is_idle_) call_back();
  }

  // --- For the thread ----------------------------------------------------------------------------
  // Returns a lock, not owned if the PE has the lock: the PE then does everything itself.
  [[nodiscard]] lock try_acquire_lock() { return {guard_, std::try_to_lock}; }
  // Called under the lock, as are all functions below.
  [[nodiscard]] bool has_works() const { return !works_.empty(); }
  // Returns true if the PE has worked itself since the last call.
  [[nodiscard]] bool take_pe_progress() { return std::exchange(has_pe_progressed_, false); }
  // Does all work. Returns false if there was no work.
  bool work();
  // `late`: the thread comes again late, and the PE calls the thread if the PE works itself.
  void set_idle(bool late) { is_idle_ = late; }

 private:
  void call_back();

  std::mutex guard_;
  std::vector<background_task*> works_;
  bool has_pe_progressed_ = false;
  bool is_idle_ = false;
  std::shared_ptr<progress_thread> thread_;
};

}  // namespace boxcar::detail
