// What a PE keeps going while it waits for anything at all: others may be waiting for just that.
// Every wait of every substrate comes by here (`idle`, collectives, `sleep`). A PE is a thread, or
// one of the fibers that a thread runs in turn: this is one object for each, and whatever else
// belongs to a PE and to no world is kept with it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "substrate/stall/pe_watch.hpp"

namespace boxcar::detail {

class pe_helper;
class background_fiber;

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

// A plain pointer of each PE, for a floor above. Good to the very end of a program, when what has a
// destructor is gone.
enum class pe_pointer : std::uint8_t { current_world, host, openshmem_member, count };

class progress {
 public:
  static progress& of_this_pe() {
    progress* const its = current_;
    return its != nullptr ? *its : first_of_this_thread();
  }
  // This thread runs the PE that has this from now on, which is a fiber; nullptr: it is the PE that
  // it was at first. Never called by what a PE runs.
  static void run_as(progress* fiber);
  [[nodiscard]] static bool is_fiber();
  // The thread is ending, and its object is destroyed. A program that ends by `exit` destroys none:
  // worlds with static storage are used and destroyed later yet.
  [[nodiscard]] static bool is_gone();
  progress() = default;
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  void add(progressing& p) { all_.push_back(&p); }
  void remove(progressing& p) { std::erase(all_, &p); }
  // The same for what may live longer than this thread, or move to another one.
  void add(std::weak_ptr<progressing> p) { guests_.push_back(std::move(p)); }
  // Background fibers are resumed outside of `make`, and may wait.
  void add(background_fiber& f) { fibers_.push_back(&f); }
  void remove(background_fiber& f) { std::erase(fibers_, &f); }
  // Somebody would be held up by a wait that makes no progress.
  [[nodiscard]] bool is_needed() const {
    return !all_.empty() || !guests_.empty() || !fibers_.empty();
  }
  [[nodiscard]] bool waits_for_time() const;

  // One round of all. False if none had anything to do, and within itself.
  bool make();

  // The thread runs a background fiber, not the program.
  [[nodiscard]] bool is_in_background() const { return active_fiber_ != nullptr; }
  // Every wait calls this function first. In a background fiber the function yields to the program
  // and returns true when the fiber is resumed. `unrung`: no PE rings the bell of this PE for the
  // event that the fiber waits for.
  bool yield_in_background(bool unrung) {
    if (active_fiber_ == nullptr) return false;
    yield_to_program(unrung);
    return true;
  }
  // Runs a background fiber until the fiber waits or returns. Not called within a background fiber.
  void resume(background_fiber& f);

  // Throws contract_error within `make`: what is made there must not wait for others.
  void refuse_within(const char* operation) const {
    if (making_) refuse(operation);
  }
  // Calls a function of the program, of which the same holds.
  void call(const std::function<void()>& function);

  // What the PE is in.
  [[nodiscard]] pe_watch& watch() { return watch_; }
  // What a floor above keeps for this PE: made when it is asked for first.
  template <typename T>
  [[nodiscard]] T& part();
  // nullptr at first.
  [[nodiscard]] static void*& pointer(pe_pointer which);
  // By which some of this is done while the PE computes, if there is one.
  std::weak_ptr<pe_helper> helper;

 private:
  class slot_of_thread;
  class end_of_log;
  struct any_part {
    virtual ~any_part() = default;
  };
  template <typename T>
  struct part_of final : any_part {
    T value;
  };
  // Its address tells the types apart.
  template <typename T>
  static inline char type_of_part = 0;
  struct kept_part {
    const void* type;
    std::unique_ptr<any_part> part;
  };
  using pointers = std::array<void*, static_cast<std::size_t>(pe_pointer::count)>;
  [[noreturn]] static void refuse(const char* operation);

  // That of the fiber that this thread runs, or the thread's own; nullptr: not asked for yet.
  static thread_local constinit progress* current_;
  static progress& first_of_this_thread();

  bool make_guests();
  bool resume_fibers();
  void yield_to_program(bool unrung);

  std::vector<progressing*> all_;
  std::vector<std::weak_ptr<progressing>> guests_;
  std::vector<background_fiber*> fibers_;
  background_fiber* active_fiber_ = nullptr;
  bool making_ = false;
  pe_watch watch_;
  std::vector<kept_part> parts_;
  pointers pointers_{};  // of a fiber
};

template <typename T>
T& progress::part() {
  for (const kept_part& kept : parts_) {
    if (kept.type == &type_of_part<T>) return static_cast<part_of<T>&>(*kept.part).value;
  }
  auto made = std::make_unique<part_of<T>>();
  T& value = made->value;
  parts_.push_back({&type_of_part<T>, std::move(made)});
  return value;
}

}  // namespace boxcar::detail
