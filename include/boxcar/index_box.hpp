// An index box is a set of indices of 1 to 6 dimensions, and numbers them.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <boxcar/error.hpp>

namespace boxcar {

namespace detail {

template <typename Index>
struct box_traits {
  static constexpr std::size_t dimensions = 0;  // not the index of a box
};
template <std::integral I>
struct box_traits<I> {
  static constexpr std::size_t dimensions = 1;
};
template <std::integral I, std::size_t D>
  requires(D >= 1 && D <= 6)
struct box_traits<std::array<I, D>> {
  static constexpr std::size_t dimensions = D;
};

// An index of a box of 1 to 6 dimensions: an integer, or an array of integers.
template <typename Index>
concept box_index = box_traits<Index>::dimensions != 0;

}  // namespace detail

// A box of indices from 0 to the extent of each dimension. The indices are numbered in row-major
// order: the last coordinate varies fastest.
template <detail::box_index Index>
class index_box {
 public:
  static constexpr std::size_t dimensions = detail::box_traits<Index>::dimensions;

  // Throws argument_error if an extent is negative, or if there are 2^63 indices or more.
  explicit index_box(const Index& extents) {
    constexpr std::uint64_t limit = std::uint64_t{1} << 63;
    bool is_empty = false;
    for (std::size_t d = 0; d != dimensions; ++d) {
      const auto extent = coordinate(extents, d);
      if (std::cmp_less(extent, 0)) {
        throw argument_error("a box of indices with extent " + std::to_string(extent) +
                             ": give 0 or more");
      }
      extents_[d] = static_cast<std::uint64_t>(extent);
      is_empty |= extent == 0;
    }
    for (std::size_t d = 0; d != dimensions && !is_empty; ++d) {
      if (extents_[d] >= limit / count_) {
        throw argument_error("a box of 2^63 indices or more: give smaller extents");
      }
      count_ *= extents_[d];
    }
    if (is_empty) count_ = 0;
  }

  [[nodiscard]] std::uint64_t extent(std::size_t dimension) const { return extents_[dimension]; }
  // Returns the number of indices.
  [[nodiscard]] std::uint64_t count() const { return count_; }

  [[nodiscard]] bool contains(const Index& index) const {
    bool within = true;
    for (std::size_t d = 0; d != dimensions; ++d) within &= coordinate_of(index, d) < extents_[d];
    return within;
  }

  // Returns the number of an index. Precondition: contains(index).
  [[nodiscard]] std::uint64_t number(const Index& index) const {
    std::uint64_t n = coordinate_of(index, 0);
    for (std::size_t d = 1; d != dimensions; ++d) n = n * extents_[d] + coordinate_of(index, d);
    return n;
  }
  // Returns the index with a number. Precondition: number < count().
  [[nodiscard]] Index index(std::uint64_t number) const {
    Index result{};
    for (std::size_t d = dimensions; d-- != 0;) {
      const std::uint64_t extent = extents_[d];
      set(result, d, d == 0 ? number : number % extent);
      number /= extent;
    }
    return result;
  }

 private:
  static auto coordinate(const Index& index, std::size_t d) {
    if constexpr (std::integral<Index>) {
      return index;
    } else {
      return index[d];
    }
  }
  static std::uint64_t coordinate_of(const Index& index, std::size_t d) {
    return static_cast<std::uint64_t>(coordinate(index, d));
  }
  static void set(Index& index, std::size_t d, std::uint64_t value) {
    if constexpr (std::integral<Index>) {
      index = static_cast<Index>(value);
    } else {
      index[d] = static_cast<typename Index::value_type>(value);
    }
  }

  std::array<std::uint64_t, dimensions> extents_{};
  std::uint64_t count_ = 1;
};

}  // namespace boxcar
