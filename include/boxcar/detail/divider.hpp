// A divider divides by a number that is known in advance, by a multiplication where possible.
#pragma once

#include <cstdint>

namespace boxcar::detail {

class divider {
 public:
  // Precondition: divisor != 0. `limit` is the largest dividend.
  explicit divider(std::uint64_t divisor = 1, std::uint64_t limit = 0) : divisor_(divisor) {
    // Source: D. Lemire and others, Faster remainder by direct computation, 2019: exact for
    // dividends and divisors below 2^32.
    if (divisor > 1 && divisor >> 32 == 0 && limit >> 32 == 0) {
      inverse_ = ~std::uint64_t{0} / divisor + 1;
    }
  }
  [[nodiscard]] std::uint64_t operator()(std::uint64_t n) const {
    if (inverse_ == 0) return n / divisor_;
    __extension__ using wide = unsigned __int128;
    return static_cast<std::uint64_t>((wide{inverse_} * n) >> 64);
  }

 private:
  std::uint64_t divisor_;
  std::uint64_t inverse_ = 0;  // 0: dividends may be too large for the inverse
};

}  // namespace boxcar::detail
