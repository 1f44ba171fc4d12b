// Numbers grouped by the PE that they belong to.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "ordered_words.hpp"

namespace boxcar::python {

// Halves the range of PEs again and again: to move the numbers once for each halving is faster than
// to look up the PE of each, as no step depends on the step before by way of memory.
template <typename T>
class number_groups {
 public:
  // `splitters`: the words of the first numbers of the second PE, of the third, and so on.
  number_groups(std::span<T> into, std::vector<word_of<T>> splitters)
      : into_(into), splitters_(std::move(splitters)), counts_(splitters_.size() + 1) {
    halvings_ = static_cast<int>(std::bit_width(splitters_.size()));
    if (halvings_ > 1) room_ = std::make_unique_for_overwrite<T[]>(into.size());
  }

  // Returns how many numbers belong to each PE. Of numbers that are equal to splitter k, those
  // before number places[k] belong ahead of it.
  std::vector<std::uint64_t> group(std::span<const T> numbers,
                                   std::span<const std::int64_t> places) {
    part all{.end_pe = counts_.size(), .count = numbers.size()};
    all.places.assign(places.begin(), places.end());
    halve(all, numbers.data(), 0);
    return std::move(counts_);
  }

 private:
  // The numbers of some PEs.
  struct part {
    std::size_t first_pe = 0;
    std::size_t end_pe = 0;
    std::size_t first = 0;  // in each of the arrays
    std::size_t count = 0;
    bool is_backwards = false;  // The first number lies last.
    // For each splitter between the PEs the number of those that were ahead of its place at first.
    std::vector<std::size_t> places = {};
  };

  // The array to which the given halving moves numbers: the last one moves them to `into_`.
  [[nodiscard]] T* array_after(int halving) const {
    return (halvings_ - halving) % 2 == 0 ? into_.data() : room_.get();
  }

  // `from`: the array with the numbers, which have been halved so often.
  void halve(const part& all, const T* from, int halvings) {
    if (all.end_pe - all.first_pe == 1) {
      counts_[all.first_pe] = all.count;
      T* const to = into_.data() + all.first;
      if (from + all.first != to) std::copy_n(from + all.first, all.count, to);
      return;
    }
    T* const to = array_after(halvings + 1);
    const std::size_t middle = (all.end_pe - all.first_pe) / 2;
    part lower{.first_pe = all.first_pe, .end_pe = all.first_pe + middle, .first = all.first};
    part upper{.first_pe = lower.end_pe, .end_pe = all.end_pe, .is_backwards = true};
    lower.places.assign(all.places.begin(), all.places.begin() + middle_place(middle));
    upper.places.assign(all.places.begin() + middle_place(middle) + 1, all.places.end());
    // Numbers are moved up to the next place of a splitter, whose place in both halves is then
    // known.
    std::vector<std::size_t> stops = all.places;
    stops.push_back(all.count);
    std::ranges::sort(stops);  // most places are the first or the last
    stops.erase(std::ranges::unique(stops).begin(), stops.end());
    const std::size_t equal_are_upper_from = all.places[middle - 1];
    halves_of h{.from = all.is_backwards ? from + all.first + all.count - 1 : from + all.first,
                .step = all.is_backwards ? -1 : 1,
                .lower_end = to + all.first,
                .upper_begin = to + all.first + all.count};
    std::size_t done = 0;
    for (const std::size_t stop : stops) {
      const word_of<T> splitter = splitters_[lower.end_pe - 1];
      if (done >= equal_are_upper_from) {
        h.move(stop - done, [=](word_of<T> w) { return w >= splitter; });
      } else {
        h.move(stop - done, [=](word_of<T> w) { return w > splitter; });
      }
      done = stop;
      const auto in_lower = static_cast<std::size_t>(h.lower_end - (to + all.first));
      set_places(lower, all, 0, stop, in_lower);
      set_places(upper, all, middle, stop, stop - in_lower);
    }
    lower.count = static_cast<std::size_t>(h.lower_end - (to + all.first));
    upper.first = lower.first + lower.count;
    upper.count = all.count - lower.count;
    halve(lower, to, halvings + 1);
    halve(upper, to, halvings + 1);
  }

  static std::ptrdiff_t middle_place(std::size_t middle) {
    return static_cast<std::ptrdiff_t>(middle) - 1;
  }

  // Sets the places of a half, whose splitters begin with splitter `from` of the whole, that are at
  // `stop` of the whole.
  static void set_places(part& half, const part& all, std::size_t from, std::size_t stop,
                         std::size_t place) {
    for (std::size_t k = 0; k < half.places.size(); ++k) {
      if (all.places[from + k] == stop) half.places[k] = place;
    }
  }

  // Two halves of an array that grow towards each other.
  struct halves_of {
    const T* from;
    std::ptrdiff_t step;
    T* lower_end;
    T* upper_begin;

    // Moves the next numbers. Each is written to both halves, one of which then grows.
    template <typename IsUpper>
    void move(std::size_t count, const IsUpper& is_upper) {
      const T* next = from;
      T* lower = lower_end;
      T* upper = upper_begin;
      for (std::size_t i = 0; i < count; ++i) {
        const T number = *next;
        next += step;
        *lower = number;
        upper[-1] = number;
        const std::ptrdiff_t goes_up = is_upper(to_word(representative(number))) ? 1 : 0;
        lower += 1 - goes_up;
        upper -= goes_up;
      }
      from = next;
      lower_end = lower;
      upper_begin = upper;
    }
  };

  std::span<T> into_;
  std::vector<word_of<T>> splitters_;
  std::vector<std::uint64_t> counts_;
  int halvings_;
  std::unique_ptr<T[]> room_;
};

}  // namespace boxcar::python
