// What is done for a PE while it computes, where the program has asked for that. The progress
// thread of the process does it (progress_thread.hpp), under a lock that belongs to this PE; the PE
// takes the same lock when it does it itself. What either writes the other one finds: its release
// of the lock synchronises with the next acquisition by the other.
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
  // Does what can be done now and waits for nothing. False if there was nothing to do. Called by
  // the thread, under the lock.
  virtual bool work() noexcept = 0;

 protected:
  ~background_work() = default;
};

class pe_helper {
 public:
  using lock = std::unique_lock<std::mutex>;

  // That of a PE, which exists for as long as somebody keeps it. Throws system_error.
  static std::shared_ptr<pe_helper> of(progress& pe);
  pe_helper();
  pe_helper(const pe_helper&) = delete;
  pe_helper& operator=(const pe_helper&) = delete;
  ~pe_helper();

  void add(background_work& w);
  // Nothing of it is going on any more when this returns.
  void remove(background_work& w);

  // For what the PE does itself. Not to be held while it waits.
  [[nodiscard]] lock keep_out() { return lock(guard_); }
  // The PE does it itself, under the lock: the thread is not needed for a while.
  void pe_was_here() {
    was_visited_ = true;
    if (is_left_alone_) call_back();
  }

  // --- For the thread ----------------------------------------------------------------------------
  // Not owned if the PE has it: it does everything itself then.
  [[nodiscard]] lock try_to_keep_out() { return {guard_, std::try_to_lock}; }
  // Under the lock, as all that follows.
  [[nodiscard]] bool has_works() const { return !works_.empty(); }
  // Since this was asked last.
  [[nodiscard]] bool was_visited() { return std::exchange(was_visited_, false); }
  // Does all of it. False if there was nothing to do.
  bool work();
  // The thread comes again so late that it wants to know if the PE comes by.
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
