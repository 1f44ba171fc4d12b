// Items of any of several sizes with one number each, repeated so that every byte has a meaning.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace boxcar::bench {

template <std::size_t Bytes>
class padded_item {
 public:
  padded_item() = default;
  explicit padded_item(std::uint64_t number) { words_.fill(static_cast<word>(number)); }

  [[nodiscard]] std::uint64_t number() const { return words_[0]; }
  // Sums up every byte.
  [[nodiscard]] std::uint64_t sum() const {
    std::uint64_t all = 0;
    for (const word w : words_) all += w;
    return all;
  }
  // The `sum` of an item with the number.
  [[nodiscard]] static std::uint64_t sum_of(std::uint64_t number) {
    return padded_item(number).sum();
  }

 private:
  using word = std::conditional_t<Bytes % sizeof(std::uint64_t) == 0, std::uint64_t, std::uint32_t>;
  static_assert(Bytes % sizeof(word) == 0);
  std::array<word, Bytes / sizeof(word)> words_;
};

template <std::size_t Bytes>
using size_constant = std::integral_constant<std::size_t, Bytes>;

// All sizes, the usual size first.
using item_sizes = std::index_sequence<8, 4, 16, 24, 32, 64, 128, 256, 1024>;

template <std::size_t... Bytes>
std::vector<std::size_t> listed(std::index_sequence<Bytes...>) {
  return {Bytes...};
}

// Calls `make` with the size_constant of `bytes`, which must be one of the sizes.
template <typename Make, std::size_t First, std::size_t... More>
auto with_item_size(std::size_t bytes, Make&& make, std::index_sequence<First, More...>) {
  if constexpr (sizeof...(More) > 0) {
    if (bytes != First) {
      return with_item_size(bytes, std::forward<Make>(make), std::index_sequence<More...>());
    }
  }
  return make(size_constant<First>());
}
template <typename Make>
auto with_item_size(std::size_t bytes, Make&& make) {
  return with_item_size(bytes, std::forward<Make>(make), item_sizes());
}

}  // namespace boxcar::bench
