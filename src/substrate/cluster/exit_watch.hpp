// An exit_watch announces the departure of a PE whose program ends inside a world, by `exit` for
// instance. The other PEs may be waiting for the departing PE, and the departing PE is about to
// wait for them, in MPI_Finalize or shmem_finalize.
#pragma once

#include <atomic>
#include <functional>

namespace boxcar::detail {

// A member of an object that belongs to a world and lives as long as the PE is in the world.
class exit_watch {
 public:
  // `depart` throws nothing and may be called more than once. `others_left` returns whether the
  // other PEs have departed, too, as far as this PE can see, and throws world_error if the world
  // has failed. `ends_with_program` returns whether the world may have static storage, and be
  // destroyed later; then `settle` lets the PEs leave the world together, and throws nothing.
  exit_watch(
      std::function<void()> depart, std::function<bool()> others_left,
      std::function<bool()> ends_with_program, std::function<void()> settle = [] {});
  exit_watch(const exit_watch&) = delete;
  exit_watch& operator=(const exit_watch&) = delete;
  ~exit_watch();

  // Records the departure of this PE from the world.
  void note_departure() noexcept { has_departed_.store(true, std::memory_order_relaxed); }

 private:
  friend void depart_from_all_worlds() noexcept;
  friend bool is_inside_a_world() noexcept;
  std::function<void()> depart_;
  std::function<bool()> others_left_;
  std::function<bool()> ends_with_program_;
  std::function<void()> settle_;
  std::atomic<bool> has_departed_ = false;
};

// Returns whether a world exists that should have ended before the program, and this PE has
// departed from no world: left-over subworlds of a departed world do not count.
bool is_inside_a_world() noexcept;

// Settles all existing worlds, the latest first, and departs from them. A world with static storage
// may be destroyed later without harm. Returns when the other PEs have departed, too, or a while
// after a world has failed: a PE with an error from the departure may abort the job, and Open MPI's
// launcher hangs or crashes if a process waits in MPI_Finalize at that moment.
void depart_from_all_worlds() noexcept;

}  // namespace boxcar::detail
