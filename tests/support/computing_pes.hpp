// PEs that compute, in no function of Boxcar, until other PEs have put something into their memory;
// and threads that make progress meanwhile.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <thread>

#include <boxcar/window.hpp>

namespace boxcar::test {

inline constexpr const char* progress_thread_variable = "BOXCAR_PROGRESS_THREAD";

// While the object exists, worlds on several nodes have progress threads.
class wanted_progress_threads {
 public:
  wanted_progress_threads() { setenv(progress_thread_variable, "1", 1); }
  wanted_progress_threads(const wanted_progress_threads&) = delete;
  wanted_progress_threads& operator=(const wanted_progress_threads&) = delete;
  ~wanted_progress_threads() { unsetenv(progress_thread_variable); }
};

// The PE computes until another PE has put the value.
inline void compute_until(window<std::uint64_t>& flags, std::size_t index,
                          std::uint64_t value = 1) {
  const std::atomic_ref<std::uint64_t> flag(flags.local()[index]);
  while (flag.load(std::memory_order_acquire) != value) std::this_thread::yield();
}

inline void raise_flag(window<std::uint64_t>& flags, int pe, std::size_t index,
                       std::uint64_t value = 1) {
  flags.store(value, pe, index);
}

// Collective. All PEs only poll their own memory between their puts.
inline void pass_a_token_while_all_compute(const world& w, std::size_t rounds) {
  window<std::uint64_t> flags(w, rounds);
  const int next = (w.rank() + 1) % w.size();
  for (std::size_t round = 0; round < rounds; ++round) {
    if (w.rank() == 0) raise_flag(flags, next, round);
    compute_until(flags, round);
    if (w.rank() != 0) raise_flag(flags, next, round);
  }
}

}  // namespace boxcar::test
