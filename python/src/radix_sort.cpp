#include "radix_sort.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <memory>
#include <utility>

#include "ordered_words.hpp"

namespace boxcar::python {
namespace {

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

// A number in order: its word, and where the number is.
template <typename Word>
struct placed_word {
  Word word;
  std::uint32_t place;
};

// Sorts by the words; the sort is stable.
template <typename Word>
void sort_placed(std::span<placed_word<Word>> elements) {
  const auto room = std::make_unique_for_overwrite<placed_word<Word>[]>(elements.size());
  const placed_word<Word>* const sorted =
      sort_by_digits<Word>(elements.data(), room.get(), elements.size(),
                           [](const placed_word<Word>& e) { return e.word; });
  if (sorted == room.get()) std::copy_n(sorted, elements.size(), elements.data());
}

// Puts in order the places of numbers that are equal in the words by which all were sorted.
template <typename T>
void order_run(std::span<const T> numbers, std::span<placed_word<std::uint32_t>> run) {
  using word = word_of<T>;
  constexpr std::size_t few = 32;  // are sorted faster by comparing than by digits
  const auto word_at = [&](std::uint32_t place) { return to_word(representative(numbers[place])); };
  if (run.size() <= few) {
    for (std::size_t i = 1; i < run.size(); ++i) {
      const placed_word<std::uint32_t> inserted = run[i];
      const word w = word_at(inserted.place);
      std::size_t at = i;
      for (; at > 0 && w < word_at(run[at - 1].place); --at) run[at] = run[at - 1];
      run[at] = inserted;
    }
    return;
  }
  const auto whole = std::make_unique_for_overwrite<placed_word<word>[]>(run.size());
  for (std::size_t i = 0; i < run.size(); ++i) {
    whole[i] = {word_at(run[i].place), run[i].place};
  }
  sort_placed(std::span(whole.get(), run.size()));
  for (std::size_t i = 0; i < run.size(); ++i) run[i].place = whole[i].place;
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

// Sorts by the 32 highest of the bits in which the numbers differ, in elements of 8 bytes, and then
// what is equal in these: usually little.
void order_numbers(std::string_view type, const read_bytes& numbers,
                   std::span<std::int64_t> order) {
  with_real_type(type, [&]<typename T>(T) {
    using word = word_of<T>;
    constexpr int bits_in_order = 32;
    const std::span<const T> all = elements_of<T>(numbers);
    word least = std::numeric_limits<word>::max();
    word most = 0;
    for (const T number : all) {
      const word w = to_word(representative(number));
      least = std::min(least, w);
      most = std::max(most, w);
    }
    const auto range = static_cast<word>(most - least);
    const int bits = all.empty() ? 0 : static_cast<int>(std::bit_width(range));
    const int left_out = std::max(bits - bits_in_order, 0);
    const auto elements = std::make_unique_for_overwrite<placed_word<std::uint32_t>[]>(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto above = static_cast<word>(to_word(representative(all[i])) - least);
      elements[i] = {static_cast<std::uint32_t>(above >> left_out), static_cast<std::uint32_t>(i)};
    }
    const std::span sorted(elements.get(), all.size());
    sort_placed(sorted);
    for (std::size_t first = 0; left_out > 0 && first < sorted.size();) {
      std::size_t end = first + 1;
      while (end < sorted.size() && sorted[end].word == sorted[first].word) ++end;
      if (end - first > 1) order_run(all, sorted.subspan(first, end - first));
      first = end;
    }
    for (std::size_t i = 0; i < sorted.size(); ++i) order[i] = sorted[i].place;
  });
}

}  // namespace boxcar::python
