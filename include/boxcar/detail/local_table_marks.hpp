// The marks of a local table: one byte for each slot, which tells whether the slot is empty, erased
// or occupied, and some bits of the hash of the key. Several marks are examined at once.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace boxcar::detail {

using table_mark = std::uint8_t;

inline constexpr table_mark empty_mark = 0;
inline constexpr table_mark erased_mark = 1;  // searches go on behind the slot
inline constexpr table_mark end_mark = 2;     // behind the last slot

// Returns the mark of an occupied slot.
[[nodiscard]] constexpr table_mark occupied_mark(std::uint64_t hash_bits) {
  return static_cast<table_mark>(0x80 | (hash_bits & 0x7f));
}
[[nodiscard]] constexpr bool is_occupied_mark(table_mark mark) {
  return mark >= 0x80;
}

// A set of slots within a group of marks.
struct mark_matches {
  std::uint64_t bits;
  unsigned bits_per_mark;

  [[nodiscard]] explicit operator bool() const { return bits != 0; }
  // Returns the number of the first slot. Precondition: not empty.
  [[nodiscard]] std::uint32_t first() const {
    return static_cast<std::uint32_t>(std::countr_zero(bits)) / bits_per_mark;
  }
  void drop_first() { bits &= bits - 1; }
};

#if defined(__SSE2__)

class mark_group {
 public:
  static constexpr std::uint32_t size = 16;

  explicit mark_group(const table_mark* marks)
      : marks_(_mm_loadu_si128(reinterpret_cast<const __m128i*>(marks))) {}

  [[nodiscard]] mark_matches equal_to(table_mark mark) const {
    return matches(_mm_cmpeq_epi8(marks_, _mm_set1_epi8(static_cast<char>(mark))));
  }
  [[nodiscard]] mark_matches occupied() const { return matches(marks_); }

 private:
  static mark_matches matches(__m128i m) {
    return {static_cast<std::uint64_t>(_mm_movemask_epi8(m)), 1};
  }
  __m128i marks_;
};

#else

class mark_group {
 public:
  static constexpr std::uint32_t size = 8;

  explicit mark_group(const table_mark* marks) {
    for (unsigned i = 0; i != size; ++i) marks_ |= std::uint64_t{marks[i]} << (8 * i);
  }

  [[nodiscard]] mark_matches equal_to(table_mark mark) const {
    const std::uint64_t x = marks_ ^ (each * mark);
    // The upper bit of a byte is set exactly if all other bits, and then the upper bit, are 0.
    return {~(((x & (each * 0x7f)) + each * 0x7f) | x) & (each * 0x80), 8};
  }
  [[nodiscard]] mark_matches occupied() const { return {marks_ & (each * 0x80), 8}; }

 private:
  static constexpr std::uint64_t each = 0x0101010101010101;
  std::uint64_t marks_ = 0;
};

#endif

}  // namespace boxcar::detail
