// The sharing of a PE among the threads of its process (SHMEM_THREAD_SERIALIZED and MULTIPLE). A
// thread that calls a function of OpenSHMEM becomes the PE for the call; one thread at a time is
// the PE, and a thread that waits for other PEs lets other threads in between.
#pragma once

#include <atomic>

#include "substrate/progress.hpp"

namespace boxcar::openshmem_c {

class thread_sharing {
 public:
  // Called by the thread of the PE; from now on all threads may become the PE, and find the
  // pointers of the PE in its engine. Precondition: the process has one PE.
  static void begin();
  // Called in a turn. Has no effect in a turn of another thread, which leaves the PE shared.
  static void end();
  [[nodiscard]] static bool is_on() { return owner_.load(std::memory_order_acquire) != nullptr; }

  // The calling thread is the PE for as long as a turn exists.
  class turn {
   public:
    turn() {
      if (is_on()) [[unlikely]]
        take();
    }
    turn(const turn&) = delete;
    turn& operator=(const turn&) = delete;
    ~turn() {
      if (is_taken_) [[unlikely]]
        give_back();
    }

   private:
    void take();
    void give_back();

    bool is_taken_ = false;
  };

  // Lets another thread have a turn. Precondition: the caller has a turn.
  static void let_others();

 private:
  // The progress engine of the PE; nullptr if the PE is not shared. Release and acquire: threads
  // see what the PE wrote before `begin`.
  static std::atomic<detail::progress*> owner_;
};

}  // namespace boxcar::openshmem_c
