// The wish for a progress thread (progress_thread.hpp) of a world that a PE joins: of the user, by
// an environment variable, or of a programming model that promises progress while PEs compute.
#pragma once

#include <cstdint>

namespace boxcar::detail {

enum class progress_wish : std::uint8_t { no_thread, thread_if_possible, thread };

// While a preference exists, `wish_of_join` of this thread is `thread_if_possible`, unless the user
// has set BOXCAR_PROGRESS_THREAD.
class progress_preference {
 public:
  progress_preference();
  progress_preference(const progress_preference&) = delete;
  progress_preference& operator=(const progress_preference&) = delete;
  ~progress_preference();

 private:
  bool outer_;
};

// Throws argument_error if BOXCAR_PROGRESS_THREAD holds nonsense.
progress_wish wish_of_join();
// Returns whether `wish_of_join` is for a thread; false if the variable holds nonsense, for callers
// that cannot report an error yet.
bool may_join_with_thread() noexcept;

}  // namespace boxcar::detail
