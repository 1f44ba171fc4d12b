// Copies of elements of windows: each element of 2, 4 or 8 bytes is loaded and stored as a single
// word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <boxcar/detail/atomics.hpp>

namespace boxcar::detail {

// Each element is stored as a single word, as other PEs may load the element meanwhile.
template <typename Word>
void copy_words(std::byte* to, std::size_t to_stride, const std::byte* from,
                std::size_t from_stride, std::size_t elements) {
  for (std::size_t i = 0; i < elements; ++i) {
    Word value;
    const std::byte* const next = from + i * from_stride * sizeof value;
    // Only the source or the target is in a window, and has the alignment of a word.
    if (reinterpret_cast<std::uintptr_t>(next) % sizeof value == 0) {
      value = read_whole(*reinterpret_cast<const Word*>(next));
    } else {
      std::memcpy(&value, next, sizeof value);
    }
    std::byte* const place = to + i * to_stride * sizeof value;
    if (reinterpret_cast<std::uintptr_t>(place) % sizeof value == 0) {
      write_whole(*reinterpret_cast<Word*>(place), value);
    } else {
      std::memcpy(place, &value, sizeof value);
    }
  }
}

// ThreadSanitizer takes memmove for accesses that may tear concurrently loaded words.
#if defined(__SANITIZE_THREAD__)
inline constexpr bool copies_by_words = true;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
inline constexpr bool copies_by_words = true;
#else
inline constexpr bool copies_by_words = false;
#endif
#else
inline constexpr bool copies_by_words = false;
#endif

inline bool overlap(const std::byte* a, const std::byte* b, std::size_t bytes) {
  return a < b + bytes && b < a + bytes;
}

// Copies `bytes` bytes of contiguous elements; a PE may move its own data. On the machines that
// Boxcar supports, memmove moves aligned words of up to 8 bytes as a whole: memmove uses registers
// of 8 bytes and more, and smaller registers only for smaller data.
inline void copy_contiguous(std::byte* to, const std::byte* from, std::size_t bytes,
                            std::size_t element_bytes) {
  if (bytes == 0) return;
  if (copies_by_words && !overlap(to, from, bytes)) {
    switch (element_bytes) {
      case 1:
        return copy_words<std::uint8_t>(to, 1, from, 1, bytes);
      case 2:
        return copy_words<std::uint16_t>(to, 1, from, 1, bytes / 2);
      case 4:
        return copy_words<std::uint32_t>(to, 1, from, 1, bytes / 4);
      case 8:
        return copy_words<std::uint64_t>(to, 1, from, 1, bytes / 8);
      default:
        break;
    }
  }
  std::memmove(to, from, bytes);
}

inline void copy_strided(std::byte* to, std::size_t to_stride, const std::byte* from,
                         std::size_t from_stride, std::size_t elements, std::size_t bytes) {
  if (to_stride == 1 && from_stride == 1) {
    return copy_contiguous(to, from, elements * bytes, bytes);
  }
  switch (bytes) {
    case 2:
      return copy_words<std::uint16_t>(to, to_stride, from, from_stride, elements);
    case 4:
      return copy_words<std::uint32_t>(to, to_stride, from, from_stride, elements);
    case 8:
      return copy_words<std::uint64_t>(to, to_stride, from, from_stride, elements);
    default:
      for (std::size_t i = 0; i < elements; ++i) {
        std::memcpy(to + i * to_stride * bytes, from + i * from_stride * bytes, bytes);
      }
  }
}

}  // namespace boxcar::detail
