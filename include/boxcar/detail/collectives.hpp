// The header lets the collectives of a world treat values as bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace boxcar::detail {

// Returns the function that combines two values of one type, for elements that are bytes; see
// `combination` of substrates.
template <typename T, typename Combine>
auto combine_elements(Combine& combine) {
  return [&combine](std::byte* into, const std::byte* next, std::size_t n) {
    for (; n != 0; --n, into += sizeof(T), next += sizeof(T)) {
      alignas(T) std::byte raw[2][sizeof(T)];
      std::memcpy(raw[0], into, sizeof(T));
      std::memcpy(raw[1], next, sizeof(T));
      const T result = combine(*std::launder(reinterpret_cast<T*>(raw[0])),
                               *std::launder(reinterpret_cast<T*>(raw[1])));
      std::memcpy(into, &result, sizeof(T));
    }
  };
}

// Calls `use(span)` with the elements of a vector; `use` may change the elements. (A
// std::vector<bool> has bits.)
template <typename T, typename Use>
void with_elements(std::vector<T>& values, const Use& use) {
  if constexpr (std::is_same_v<T, bool>) {
    const auto copy = std::make_unique<bool[]>(values.size());
    std::ranges::copy(values, copy.get());
    use(std::span<bool>(copy.get(), values.size()));
    std::copy(copy.get(), copy.get() + values.size(), values.begin());
  } else {
    use(std::span<T>(values));
  }
}

// The result of a gather of several elements per PE: a vector or a string for each PE.
template <typename Container>
class gathered {
 public:
  explicit gathered(int pes) : all_(static_cast<std::size_t>(pes)) {}

  std::byte* room(int pe, std::size_t bytes) {
    auto& one = all_[static_cast<std::size_t>(pe)];
    one.resize(bytes / sizeof(typename Container::value_type));
    return reinterpret_cast<std::byte*>(one.data());
  }
  std::vector<Container> take() { return std::move(all_); }

 private:
  std::vector<Container> all_;
};

template <>
class gathered<std::vector<bool>> {
 public:
  explicit gathered(int pes) : all_(static_cast<std::size_t>(pes)) {}

  std::byte* room(int pe, std::size_t bytes) {
    auto& one = all_[static_cast<std::size_t>(pe)];
    one.resize(bytes);
    return one.data();
  }
  std::vector<std::vector<bool>> take() {
    std::vector<std::vector<bool>> bits;
    for (const auto& one : all_) {
      auto& here = bits.emplace_back();
      for (const std::byte b : one) here.push_back(b != std::byte{0});
    }
    return bits;
  }

 private:
  std::vector<std::vector<std::byte>> all_;
};

}  // namespace boxcar::detail
