// A prefetch requests the cache lines of a buffer before they are written.
//
// The PE that a buffer goes to has the cache lines, since the PE read them last. A store to a
// remote line waits until the line has been fetched and invalidated; a core can have few such
// stores outstanding, and later stores wait as well. After an early prefetch, the lines are there
// when they are written: docs/did-not-help.md has figures.
#pragma once

#include <cstddef>

namespace boxcar::detail {

// The distance between the prefetch and the current store, in bytes: far enough for a line from
// another core.
inline constexpr std::size_t write_ahead = 512;

// `place` need not be accessible memory.
[[gnu::always_inline]] inline void prefetch_to_write(const std::byte* place) {
#if defined(__x86_64__)
  // The builtin would become an instruction that fetches to read, unless the compiler knows that
  // the processor has prefetchw. Processors without prefetchw treat the instruction as a no-op.
  asm volatile("prefetchw %0" : : "m"(*place));
#else
  __builtin_prefetch(place, 1);
#endif
}

}  // namespace boxcar::detail
