#include "merge_runs.hpp"

#include <algorithm>
#include <concepts>
#include <memory>
#include <span>
#include <utility>

namespace boxcar::python {
namespace {

// Merges from both ends. Neither loop has a branch that depends on the numbers, which a processor
// would foresee in half of the cases; and the two do not wait for one another. Precondition: there
// is no NaN.
template <typename T>
void merge(std::span<const T> a, std::span<const T> b, T* result) {
  T* result_end = result + a.size() + b.size();
  for (;;) {
    // So many steps from each end use up neither run.
    const std::size_t steps = std::min(a.size(), b.size()) / 2;
    if (steps == 0) break;
    const T* a_front = a.data();
    const T* b_front = b.data();
    const T* a_back = a_front + a.size();
    const T* b_back = b_front + b.size();
    for (std::size_t i = 0; i < steps; ++i) {
      const bool front_is_of_b = *b_front < *a_front;
      *result++ = *(front_is_of_b ? b_front : a_front);
      b_front += front_is_of_b;
      a_front += !front_is_of_b;
      const bool back_is_of_a = b_back[-1] < a_back[-1];
      *--result_end = *((back_is_of_a ? a_back : b_back) - 1);
      a_back -= back_is_of_a;
      b_back -= !back_is_of_a;
    }
    a = {a_front, a_back};
    b = {b_front, b_back};
  }
  std::merge(a.begin(), a.end(), b.begin(), b.end(), result);
}

// Returns the number of elements ahead of the NaNs, which are last in a run.
template <typename T>
std::size_t count_before_nans(std::span<const T> run) {
  if constexpr (std::floating_point<T>) {
    const auto end = std::partition_point(run.begin(), run.end(), [](T x) { return x == x; });
    return static_cast<std::size_t>(end - run.begin());
  }
  return run.size();
}

template <typename T>
void merge_with_nans(std::span<const T> a, std::span<const T> b, T* result) {
  const std::size_t in_a = count_before_nans(a);
  const std::size_t in_b = count_before_nans(b);
  merge(a.first(in_a), b.first(in_b), result);
  T* const nans =
      std::copy(a.begin() + static_cast<std::ptrdiff_t>(in_a), a.end(), result + in_a + in_b);
  std::copy(b.begin() + static_cast<std::ptrdiff_t>(in_b), b.end(), nans);
}

// Merges pairs of neighbouring runs from one array into the other, until one run is left. Returns
// the array that has it.
template <typename T>
T* merge_pairs(T* numbers, T* room, std::vector<std::size_t> lengths) {
  while (lengths.size() > 1) {
    std::vector<std::size_t> merged;
    T* from = numbers;
    T* to = room;
    for (std::size_t i = 0; i < lengths.size(); i += 2) {
      const std::size_t first = lengths[i];
      const std::size_t second = i + 1 < lengths.size() ? lengths[i + 1] : 0;
      merge_with_nans<T>({from, first}, {from + first, second}, to);
      merged.push_back(first + second);
      from += first + second;
      to += first + second;
    }
    std::swap(numbers, room);
    lengths = std::move(merged);
  }
  return numbers;
}

}  // namespace

void merge_runs(std::string_view type, const written_bytes& numbers,
                const std::vector<std::size_t>& lengths) {
  with_real_type(type, [&]<typename T>(T) {
    const std::span<T> all = elements_of<T>(numbers);
    const auto room = std::make_unique_for_overwrite<T[]>(all.size());
    const T* const sorted = merge_pairs(all.data(), room.get(), lengths);
    if (sorted != all.data()) std::copy_n(sorted, all.size(), all.data());
  });
}

}  // namespace boxcar::python
