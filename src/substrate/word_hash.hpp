// A hash of words, the same for the same words in the same order on every machine.
#pragma once

#include <cstdint>

namespace boxcar::detail {

class word_hash {
 public:
  void add(std::uint64_t word) { h_ = (h_ ^ (h_ >> 29) ^ word) * 0xbf58476d1ce4e5b9U; }
  [[nodiscard]] std::uint64_t value() const { return h_ ^ (h_ >> 32); }

 private:
  std::uint64_t h_ = 0x9e3779b97f4a7c15U;
};

}  // namespace boxcar::detail
