#include "splitters.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <utility>

#include "number_groups.hpp"
#include "ordered_words.hpp"

namespace boxcar::python {
namespace {

template <typename T>
std::vector<word_of<T>> words_of(const read_bytes& numbers) {
  std::vector<word_of<T>> words;
  for (const T number : elements_of<T>(numbers)) words.push_back(to_word(representative(number)));
  return words;
}

// Finds how many splitters are less than a word. No branch depends on the word: a processor would
// foresee it in half of the cases.
template <typename Word>
class splitter_search {
 public:
  explicit splitter_search(std::vector<Word> splitters)
      : count_(splitters.size()), splitters_(std::move(splitters)) {
    const auto steps = static_cast<unsigned>(std::bit_width(count_));
    splitters_.resize(std::size_t{1} << steps, std::numeric_limits<Word>::max());
  }

  [[nodiscard]] std::size_t less_than(Word w) const {
    std::size_t first = 0;
    for (std::size_t half = splitters_.size() / 2; half > 0; half /= 2) {
      first += half * static_cast<std::size_t>(splitters_[first + half - 1] < w);
    }
    return first;
  }
  [[nodiscard]] bool is_equal(std::size_t which, Word w) const {
    return splitters_[which] == w && which < count_;
  }
  // Returns the first splitter behind those that are equal to splitter `which`.
  [[nodiscard]] std::size_t end_of_equal(std::size_t which) const {
    const Word* const all = splitters_.data();
    return static_cast<std::size_t>(std::upper_bound(all + which, all + count_, all[which]) - all);
  }

 private:
  std::size_t count_;
  std::vector<Word> splitters_;  // and the largest word, up to 2^n words, more than the splitters
};

}  // namespace

std::vector<std::uint64_t> split_numbers(std::string_view type, const read_bytes& numbers,
                                         const splits& at, std::span<std::int32_t> to) {
  std::vector<std::uint64_t> counts(at.places.size() + 1);
  with_real_type(type, [&]<typename T>(T) {
    const splitter_search<word_of<T>> search(words_of<T>(at.splitters));
    const std::span<const T> all = elements_of<T>(numbers);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const word_of<T> w = to_word(representative(all[i]));
      std::size_t pe = search.less_than(w);
      if (search.is_equal(pe, w)) {
        const std::int64_t* const first = at.places.data() + pe;
        const std::int64_t* const end = at.places.data() + search.end_of_equal(pe);
        pe += static_cast<std::size_t>(std::upper_bound(first, end, static_cast<std::int64_t>(i)) -
                                       first);
      }
      to[i] = static_cast<std::int32_t>(pe);
      ++counts[pe];
    }
  });
  return counts;
}

std::vector<std::uint64_t> group_numbers(std::string_view type, const read_bytes& numbers,
                                         const splits& at, const written_bytes& into) {
  return with_real_type(type, [&]<typename T>(T) {
    return number_groups<T>(elements_of<T>(into), words_of<T>(at.splitters))
        .group(elements_of<T>(numbers), at.places);
  });
}

}  // namespace boxcar::python
