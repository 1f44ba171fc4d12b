// The spectrum of a multiset: how many different things occur once, twice, and so on.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

#include "support/report.hpp"

namespace examples {

// Counts by ranges: 1, 2, 3, 4, 5 to 8, 9 to 16, and so on by powers of two. Copied as bytes
// between PEs.
class spectrum {
 public:
  // Adds a thing that occurs `times`, at least once.
  void add(std::uint64_t times) { ++things_[range_of(times)]; }

  friend spectrum operator+(spectrum a, const spectrum& b) {
    for (std::size_t i = 0; i < a.things_.size(); ++i) a.things_[i] += b.things_[i];
    return a;
  }

  void print() const {
    for (std::size_t i = 0; i < things_.size(); ++i) {
      if (things_[i] == 0) continue;
      std::printf("    %-18s %14s\n", name_of(i).c_str(), with_commas(things_[i]).c_str());
    }
  }

 private:
  static constexpr std::size_t one_each = 4;

  static std::size_t range_of(std::uint64_t times) {
    if (times <= one_each) return times - 1;
    return static_cast<std::size_t>(std::bit_width(times - 1)) + 1;
  }
  static std::uint64_t least_of(std::size_t range) {
    return range < one_each ? range + 1 : (std::uint64_t{1} << (range - 2)) + 1;
  }

  static std::string name_of(std::size_t range) {
    const std::uint64_t least = least_of(range);
    if (least == 1) return "once";
    if (range < one_each) return with_commas(least) + " times";
    return with_commas(least) + " to " + with_commas(2 * (least - 1)) + " times";
  }

  std::array<std::uint64_t, 66> things_{};
};

}  // namespace examples
