// The loop of a client around what is measured: the items, their destinations and their tally.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <boxcar/world.hpp>

// The size is fixed, as the automatic choice depends on the machine: items cost more in small
// buffers.
inline constexpr std::size_t buffer_bytes = 1 << 16;

inline constexpr std::uint64_t table_size = 1024;
using table = std::vector<std::uint64_t>;

// Keeps the compiler from knowing the value, at no cost.
inline std::uint64_t opaque(std::uint64_t value) {
  asm volatile("" : "+r"(value));
  return value;
}

constexpr std::uint64_t slot_of(std::size_t i) {
  return i & (table_size - 1);
}

// The PEs take turns as destinations: they are as many as a power of two.
struct destinations {
  explicit destinations(int pes) : last(opaque(static_cast<std::uint64_t>(pes) - 1)) {}
  [[nodiscard]] int of(std::size_t i) const { return static_cast<int>(i & last); }

  std::uint64_t last;
};

// The program of a PE for a given number of items.
using program = std::function<void(boxcar::world&, std::size_t, table&)>;

// The client alone.
struct nobody {};

[[gnu::noinline]] inline std::size_t phase_push(nobody, destinations to, std::size_t i,
                                                std::size_t n) {
  for (; i < n; ++i) {
    opaque(slot_of(i));
    opaque(static_cast<std::uint64_t>(to.of(i)));
  }
  return i;
}

[[gnu::noinline]] inline void phase_pull(nobody, std::size_t n, table& tally) {
  for (std::size_t i = 0; i < n; ++i) ++tally[opaque(0)];
}
