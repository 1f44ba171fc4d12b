// The parts of a route that are used for every item: they cost shifts and multiplications, and no
// division. src/route/tagged_route.hpp explains the numbering.
#pragma once

#include <cstdint>

namespace boxcar::detail {

struct link_and_tag {
  std::uint32_t link;
  std::uint32_t tag;
};

// Exact division of numbers below 2^32 by a fixed one.
class fixed_divisor {
 public:
  fixed_divisor() = default;
  explicit fixed_divisor(std::uint32_t d) : reciprocal_(~std::uint64_t{0} / d) {}

  // floor((n + 1) * floor((2^64 - 1) / d) / 2^64) is floor(n / d): the error is below 2^-32.
  [[nodiscard]] std::uint32_t quotient(std::uint32_t n) const {
    __extension__ using wide = unsigned __int128;
    return static_cast<std::uint32_t>(static_cast<wide>(std::uint64_t{n} + 1) * reciprocal_ >> 64);
  }

 private:
  std::uint64_t reciprocal_ = ~std::uint64_t{0};
};

// From a destination to the first link and the tag to write.
struct first_step {
  fixed_divisor by_group;
  std::uint32_t group = 1;
  std::uint32_t group_bits = 0;

  [[nodiscard]] link_and_tag in_matrix(std::uint32_t pe) const {
    const std::uint32_t row = by_group.quotient(pe);
    return {pe - row * group, row};
  }
  [[nodiscard]] link_and_tag in_tensor(std::uint32_t pe) const {
    const std::uint32_t row = by_group.quotient(pe);
    const std::uint32_t column = pe - row * group;
    const std::uint32_t x = by_group.quotient(row);
    return {row - x * group, x << group_bits | column};
  }
};

// The same by a table, on routes of any other kind.
struct tabled_step {
  const std::uint16_t* links = nullptr;  // towards each PE
  std::uint32_t source_bits = 0;
  std::uint32_t source = 0;

  [[nodiscard]] std::uint32_t link_of(std::uint32_t tag) const { return links[tag >> source_bits]; }
  [[nodiscard]] link_and_tag to(std::uint32_t pe) const {
    return {links[pe], pe << source_bits | source};
  }
};

// From the tag that an item arrives with to the PE that it comes from. For all packets of a buffer.
struct origin {
  std::uint32_t low_bits = 0;
  std::uint32_t high_factor = 0;
  std::uint32_t base = 0;

  [[nodiscard]] int of(std::uint32_t tag) const {
    const std::uint32_t low = tag & ((std::uint32_t{1} << low_bits) - 1);
    return static_cast<int>((tag >> low_bits) * high_factor + low + base);
  }
};

}  // namespace boxcar::detail
