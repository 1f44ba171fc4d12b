// Random numbers that are the same on every machine for the same seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <initializer_list>
#include <span>

namespace boxcar::test {

// Turns any number into a random-looking number (the finaliser of splitmix64).
constexpr std::uint64_t scramble(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

constexpr std::uint64_t scramble_all(std::initializer_list<std::uint64_t> parts) {
  std::uint64_t h = 0x9e3779b97f4a7c15u;
  for (const std::uint64_t part : parts) h = scramble(h + 0x9e3779b97f4a7c15u + part);
  return h;
}

// Test programs are the same in every run, unless GTEST_RANDOM_SEED asks for other programs.
inline std::uint64_t program_seed(std::uint64_t number) {
  return scramble_all({static_cast<std::uint64_t>(GTEST_FLAG_GET(random_seed)), number});
}

class dice {
 public:
  explicit dice(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() { return scramble(state_ += 0x9e3779b97f4a7c15u); }
  // 0 to n - 1.
  int below(int n) { return static_cast<int>(next() % static_cast<std::uint64_t>(n)); }
  bool chance(int percent) { return below(100) < percent; }
  template <typename T>
  const T& pick(std::span<const T> from) {
    return from[next() % from.size()];
  }
  template <typename T>
  T pick(std::initializer_list<T> from) {
    return from.begin()[next() % from.size()];
  }

 private:
  std::uint64_t state_;
};

}  // namespace boxcar::test
