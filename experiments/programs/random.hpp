// Random-looking numbers, the same in every run: SplitMix64.
#pragma once

#include <cstdint>

namespace experiments {

class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15U + 1) {}
  std::uint64_t operator()() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }
  int below(int n) {
    return static_cast<int>(((*this)() >> 32) * static_cast<std::uint64_t>(n) >> 32);
  }
  // Above 0, up to 1.
  double uniform() { return static_cast<double>(((*this)() >> 11) + 1) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

}  // namespace experiments
