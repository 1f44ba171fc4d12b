#include "radix_sort.hpp"

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>

namespace boxcar::python {
namespace {

template <std::size_t Bytes>
using word_of_size = std::conditional_t<
    Bytes == 1, std::uint8_t,
    std::conditional_t<Bytes == 2, std::uint16_t,
                       std::conditional_t<Bytes == 4, std::uint32_t, std::uint64_t>>>;

template <typename T>
using word_of = word_of_size<sizeof(T)>;

template <typename Word>
constexpr Word sign = static_cast<Word>(Word(1) << (std::numeric_limits<Word>::digits - 1));

// Words are ordered as the numbers are.
template <typename T>
word_of<T> to_word(T number) {
  using word = word_of<T>;
  if constexpr (std::floating_point<T>) {
    const auto bits = std::bit_cast<word>(number);
    if (number != number) return bits | sign<word>;
    return (bits & sign<word>) != 0 ? ~bits : bits | sign<word>;
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<word>(static_cast<word>(number) ^ sign<word>);
  } else {
    return static_cast<word>(number);
  }
}
template <typename T>
T to_number(word_of<T> word) {
  if constexpr (std::floating_point<T>) {
    const auto bits = (word & sign<word_of<T>>) != 0
                          ? static_cast<word_of<T>>(word ^ sign<word_of<T>>)
                          : static_cast<word_of<T>>(~word);
    return std::bit_cast<T>(bits);
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<T>(word ^ sign<word_of<T>>);
  } else {
    return static_cast<T>(word);
  }
}

// One number represents all equal keys: -0.0 is equal to 0.0, and a NaN to every NaN, of any sign
// and payload.
template <typename T>
T representative(T number) {
  if constexpr (std::floating_point<T>) {
    if (number != number) return std::numeric_limits<T>::quiet_NaN();
    if (number == T()) return T();
  }
  return number;
}

constexpr std::size_t digits = 256;

// Moves elements to and fro between two arrays of `count`, once for each byte with differences
// between the words, and returns the array with the result.
template <typename Word, typename Element, typename WordOf>
Element* sort_by_digits(Element* elements, Element* room, std::size_t count,
                        const WordOf& word_in) {
  std::array<std::array<std::size_t, digits>, sizeof(Word)> counts{};
  for (std::size_t i = 0; i < count; ++i) {
    const Word word = word_in(elements[i]);
    for (std::size_t digit = 0; digit < sizeof(Word); ++digit) {
      ++counts[digit][(word >> (8 * digit)) & (digits - 1)];
    }
  }
  for (std::size_t digit = 0; digit < sizeof(Word); ++digit) {
    std::array<std::size_t, digits>& next = counts[digit];
    const auto digit_of = [&](const Element& e) {
      return static_cast<std::size_t>(word_in(e) >> (8 * digit)) & (digits - 1);
    };
    if (count == 0 || next[digit_of(elements[0])] == count) continue;
    std::size_t first = 0;
    for (std::size_t& place : next) first += std::exchange(place, first);
    for (std::size_t i = 0; i < count; ++i) room[next[digit_of(elements[i])]++] = elements[i];
    std::swap(elements, room);
  }
  return elements;
}

}  // namespace

void sort_numbers(std::string_view type, const written_bytes& numbers) {
  with_real_type(type, [&]<typename T>(T) {
    using word = word_of<T>;
    const std::span<T> all = elements_of<T>(numbers);
    const auto words = std::make_unique_for_overwrite<word[]>(2 * all.size());
    for (std::size_t i = 0; i < all.size(); ++i) words[i] = to_word(all[i]);
    const word* const sorted = sort_by_digits<word>(words.get(), words.get() + all.size(),
                                                    all.size(), [](word w) { return w; });
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = to_number<T>(sorted[i]);
  });
}

void order_numbers(std::string_view type, const read_bytes& numbers,
                   std::span<std::int64_t> order) {
  with_real_type(type, [&]<typename T>(T) {
    struct placed {
      word_of<T> word;
      std::uint32_t place;
    };
    const std::span<const T> all = elements_of<T>(numbers);
    const auto elements = std::make_unique_for_overwrite<placed[]>(2 * all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      elements[i] = {to_word(representative(all[i])), static_cast<std::uint32_t>(i)};
    }
    const placed* const sorted =
        sort_by_digits<word_of<T>>(elements.get(), elements.get() + all.size(), all.size(),
                                   [](const placed& p) { return p.word; });
    for (std::size_t i = 0; i < all.size(); ++i) order[i] = sorted[i].place;
  });
}

}  // namespace boxcar::python
