// What a process must still say if its program ends while it is inside a world, by `exit` for
// instance: that it takes part no longer. The other PEs may be waiting for it, and it is about to
// wait for them, in the end of MPI or OpenSHMEM.
#pragma once

#include <atomic>
#include <functional>

namespace boxcar::detail {

// To be a part of what belongs to one world and lives as long as the PE is in it.
class exit_watch {
 public:
  // `depart` throws nothing and may be called more than once. `others_left` says whether the others
  // have departed, too, as far as this PE can see, and throws world_error if the world has failed.
  // `ends_with_program`: the world may have static storage, and be destroyed later yet; then
  // `settle` lets the PEs leave it together, and throws nothing.
  exit_watch(
      std::function<void()> depart, std::function<bool()> others_left,
      std::function<bool()> ends_with_program, std::function<void()> settle = [] {});
  exit_watch(const exit_watch&) = delete;
  exit_watch& operator=(const exit_watch&) = delete;
  ~exit_watch();

  // This PE has left the world, or does not take part in it any longer.
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

// Whether there is a world that should have ended before the program, and none that this PE has
// departed from: parts of that which are left over do not count.
bool is_inside_a_world() noexcept;

// For all that exist, the latest first. A world with static storage may be destroyed later yet;
// that is no harm. Returns when the others have departed, too, or a while after one of these worlds
// has failed: who gets an error because this PE has departed may abort the job, and Open MPI's
// launcher hangs or crashes if a process waits in MPI_Finalize at that moment.
void depart_from_all_worlds() noexcept;

}  // namespace boxcar::detail
