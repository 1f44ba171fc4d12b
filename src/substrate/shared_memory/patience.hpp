// A patience says how often a waiting PE spins and yields before the PE blocks (waiting.hpp).
//
// A PE with a core of its own spins first. If other programs compute on the core, a yield gives the
// core away for long: after a yield Linux lets a thread wait for its turn, but after a wake-up a
// thread gets the core soon, the sooner the less of the core the thread has used. After the loss of
// the core by a yield, a PE therefore blocks at once for a while: first for a short time, as the
// loss may have been an accident, and the longer the more yields in a row were long.
//
// PEs that share cores with one another yield to one another, however long that takes.
#pragma once

#include <chrono>
#include <cstdint>

namespace boxcar::detail {

class patience {
 public:
  using clock = std::chrono::steady_clock;

  static constexpr std::uint32_t max_yields = 64;

  // `has_core`: there are as many cores as PEs that may run on the cores.
  explicit patience(bool has_core) : has_core_(has_core) { restore(); }

  [[nodiscard]] bool has_core() const { return has_core_; }
  // Returns how many polls without success come before the first yield.
  [[nodiscard]] std::uint32_t spins() const { return spins_; }
  // Returns how many polls without success come before the PE blocks.
  [[nodiscard]] std::uint32_t polls() const { return spins_ + yields_; }

  // Ends the time of blocking at once if the time is over.
  void look(clock::time_point now);
  // Records a yield.
  void note_yield(clock::time_point begin, clock::time_point end);

 private:
  static constexpr std::chrono::nanoseconds min_time = std::chrono::milliseconds(2);

  void restore();

  bool has_core_;
  std::uint32_t spins_ = 0;
  std::uint32_t yields_ = 0;                       // 0: the PE blocks at once
  std::chrono::nanoseconds next_time_ = min_time;  // of blocking at once
  clock::time_point restored_at_{};                // the end of blocking at once
};

}  // namespace boxcar::detail
