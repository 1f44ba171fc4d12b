// The progress engine of a PE drives everything that other PEs may wait for, during any wait of the
// PE. Every wait of every substrate calls the engine (`idle`, collectives, `sleep`). A PE is a
// thread, or a fiber among the fibers that a thread runs in turn. Each PE has an engine of its own,
// which also keeps all data that belong to a PE and to no world.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "substrate/stall/pe_watch.hpp"

namespace boxcar::detail {

class progress_context;
class background_fiber;

// An object whose progress other PEs may wait for.
class pollable {
 public:
  // Does all work possible now, and does not wait. Returns false if there was no work.
  virtual bool make_progress() = 0;
  // Returns true if work will fall due by time, or when there is room, and no PE rings for the
  // work.
  [[nodiscard]] virtual bool waits_for_time() const { return false; }

 protected:
  ~pollable() = default;
};

// A plain pointer of each PE, for a layer above. Good to the very end of a program, when all
// objects with destructors are gone.
enum class pe_pointer : std::uint8_t {
  current_world,
  host,
  openshmem_member,
  openshmem_ended,
  count
};

class progress {
 public:
  static progress& of_this_pe() {
    progress* const its = current_;
    return its != nullptr ? *its : first_of_this_thread();
  }
  // Makes the thread run the PE `fiber` from now on; nullptr: the thread's own PE. Never called by
  // code of a PE.
  static void run_as(progress* fiber);
  [[nodiscard]] static bool is_fiber();
  // Returns true if the thread is ending, and the engine is destroyed. A program that ends by
  // `exit` destroys no engine: worlds with static storage are used and destroyed later.
  [[nodiscard]] static bool is_gone();
  progress() = default;
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  void add(pollable& p) { all_.push_back(&p); }
  void remove(pollable& p) { std::erase(all_, &p); }
  // Adds an object that may outlive the thread, or move to another thread.
  void add(std::weak_ptr<pollable> p) { guests_.push_back(std::move(p)); }
  // Background fibers are resumed outside of `make`, and may wait.
  void add(background_fiber& f) { fibers_.push_back(&f); }
  void remove(background_fiber& f) { std::erase(fibers_, &f); }
  // Returns true if a wait without progress could hold up another PE.
  [[nodiscard]] bool is_needed() const {
    return !all_.empty() || !guests_.empty() || !fibers_.empty();
  }
  [[nodiscard]] bool waits_for_time() const;

  // Makes one round of progress with all objects. Returns false if there was no work, and within
  // `make`.
  bool make();

  // Returns true if the thread runs a background fiber, not the program.
  [[nodiscard]] bool is_in_background() const { return active_fiber_ != nullptr; }
  // Every wait calls yield_in_background first. In a background fiber the function yields to the
  // program and returns true when the fiber is resumed. `unrung`: no PE rings the bell of this PE
  // for the event that the fiber waits for.
  bool yield_in_background(bool unrung) {
    if (active_fiber_ == nullptr) return false;
    yield_to_program(unrung);
    return true;
  }
  // Runs a background fiber until the fiber waits or returns. Not called within a background fiber.
  void resume(background_fiber& f);

  // Throws contract_error within `make`: progress must not wait for other PEs.
  void refuse_within(const char* operation) const {
    if (making_) refuse(operation);
  }
  // Calls a function of the program that must not wait for other PEs, either.
  void call(const std::function<void()>& function);

  // Returns the call, the worlds and the sessions of the PE.
  [[nodiscard]] pe_watch& watch() { return watch_; }
  // Returns the object of type T kept by a layer above for the PE: made at the first request.
  template <typename T>
  [[nodiscard]] T& part();
  // Returns a pointer of the PE, nullptr at first.
  [[nodiscard]] static void*& pointer(pe_pointer which);
  // The context of the progress thread that does some of the work while the PE computes, if there
  // is a progress thread.
  std::weak_ptr<progress_context> thread_context;

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
  // The address of type_of_part tells the types apart.
  template <typename T>
  static inline char type_of_part = 0;
  struct kept_part {
    const void* type;
    std::unique_ptr<any_part> part;
  };
  using pointers = std::array<void*, static_cast<std::size_t>(pe_pointer::count)>;
  [[noreturn]] static void refuse(const char* operation);

  // The engine of the running fiber, or else of the thread; nullptr: not requested yet.
  static thread_local constinit progress* current_;
  static progress& first_of_this_thread();

  bool make_guests();
  bool resume_fibers();
  void yield_to_program(bool unrung);

  std::vector<pollable*> all_;
  std::vector<std::weak_ptr<pollable>> guests_;
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
