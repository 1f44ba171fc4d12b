// What a PE keeps going while it waits for anything at all: others may be waiting for just that.
// Every wait of every substrate comes by here (`idle`, collectives, `sleep`). A PE is a thread, so
// this is one object per thread.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "substrate/stall/pe_watch.hpp"

namespace boxcar::detail {

class progress_thread;

// Something that others may wait for.
class progressing {
 public:
  // Does what can be done now and waits for nothing. False if there was nothing to do.
  virtual bool make_progress() = 0;
  // Something will have to be done, by time or when there is room, for which nobody rings.
  [[nodiscard]] virtual bool waits_for_time() const { return false; }

 protected:
  ~progressing() = default;
};

class progress {
 public:
  static progress& of_this_pe();
  // The thread is ending, or the program: this thread's object is destroyed, and worlds with static
  // storage are about to be.
  [[nodiscard]] static bool is_gone();
  progress() = default;
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;
  ~progress();

  void add(progressing& p) { all_.push_back(&p); }
  void remove(progressing& p) { std::erase(all_, &p); }
  // The same for what may live longer than this thread, or move to another one.
  void add(std::weak_ptr<progressing> p) { guests_.push_back(std::move(p)); }
  // Somebody would be held up by a wait that makes no progress.
  [[nodiscard]] bool is_needed() const { return !all_.empty() || !guests_.empty(); }
  [[nodiscard]] bool waits_for_time() const;

  // One round of all. False if none had anything to do, and within itself.
  bool make();

  // Throws contract_error within `make`: what is made there must not wait for others.
  void refuse_within(const char* operation) const;
  // Calls a function of the program, of which the same holds.
  void call(const std::function<void()>& function);

  // What the PE is in.
  [[nodiscard]] pe_watch& watch() { return watch_; }
  // What does some of this while the PE computes, if there is one.
  std::weak_ptr<progress_thread> helper;

 private:
  bool make_guests();

  std::vector<progressing*> all_;
  std::vector<std::weak_ptr<progressing>> guests_;
  bool making_ = false;
  pe_watch watch_;
};

}  // namespace boxcar::detail
