#include "splitters.hpp"

#include <bit>
#include <concepts>
#include <cstddef>
#include <type_traits>

namespace boxcar::python {
namespace {

template <typename T>
std::uint64_t ordered_word(T key) {
  constexpr std::uint64_t sign = std::uint64_t(1) << 63;
  if constexpr (std::floating_point<T>) {
    const double wide = key == 0 ? 0.0 : static_cast<double>(key);
    const auto bits = std::bit_cast<std::uint64_t>(wide);
    const std::uint64_t ordered = (bits & sign) != 0 ? ~bits : bits | sign;
    return key != key ? ~std::uint64_t(0) : ordered;
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(key)) ^ sign;
  } else {
    return static_cast<std::uint64_t>(key);
  }
}

// Up to so many it is faster to compare with all than to search.
constexpr std::size_t few = 8;

template <typename T>
void split(std::span<const T> keys, std::span<const std::uint64_t> splitters,
           std::span<const std::uint64_t> places, std::span<std::int32_t> to) {
  const auto is_at_or_behind = [&](std::size_t k, std::uint64_t word, std::uint64_t i) {
    return word > splitters[k] || (word == splitters[k] && i >= places[k]);
  };
  if (splitters.size() <= few) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const std::uint64_t word = ordered_word(keys[i]);
      std::int32_t pe = 0;
      for (std::size_t k = 0; k < splitters.size(); ++k) {
        pe += static_cast<std::int32_t>(is_at_or_behind(k, word, i));
      }
      to[i] = pe;
    }
    return;
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::uint64_t word = ordered_word(keys[i]);
    std::size_t low = 0;  // so many are not behind the key
    for (std::size_t left = splitters.size(); left > 0;) {
      const std::size_t half = (left + 1) / 2;
      low = is_at_or_behind(low + half - 1, word, i) ? low + half : low;
      left -= half;
    }
    to[i] = static_cast<std::int32_t>(low);
  }
}

}  // namespace

void ordered_words(std::string_view type, const read_bytes& keys, std::span<std::uint64_t> words) {
  with_real_type(type, [&]<typename T>(T) {
    const std::span<const T> all = elements_of<T>(keys);
    for (std::size_t i = 0; i < all.size(); ++i) words[i] = ordered_word(all[i]);
  });
}

void split_keys(std::string_view type, const read_bytes& keys,
                std::span<const std::uint64_t> splitters, std::span<const std::uint64_t> places,
                std::span<std::int32_t> to) {
  with_real_type(type, [&]<typename T>(T) { split(elements_of<T>(keys), splitters, places, to); });
}

}  // namespace boxcar::python
