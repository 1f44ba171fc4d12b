// Asking for the cache lines of a buffer before they are written.
//
// The PE that a buffer goes to has its lines, since it read them last. A store to such a line waits
// until it has been fetched and invalidated there; a core can have few such stores under way, and
// the stores behind them wait, too. Asked for early, the lines are there when they are written:
// docs/did-not-help.md has figures.
#pragma once

#include <cstddef>

namespace boxcar::detail {

// How far ahead of the place that is written now: far enough for a line from another core.
inline constexpr std::size_t write_ahead = 512;

// `place` need not be memory that may be accessed.
[[gnu::always_inline]] inline void prefetch_to_write(const std::byte* place) {
#if defined(__x86_64__)
  // The builtin would become an instruction that fetches to read, unless the compiler is told that
  // the processor has this one. Those that have not take it for no operation.
  asm volatile("prefetchw %0" : : "m"(*place));
#else
  __builtin_prefetch(place, 1);
#endif
}

}  // namespace boxcar::detail
