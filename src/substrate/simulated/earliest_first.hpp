// A heap of few levels, whose neighbouring elements are in the cache together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace boxcar::detail {

// The smallest element comes first.
template <typename T>
class earliest_first {
 public:
  [[nodiscard]] bool empty() const { return all_.empty(); }
  [[nodiscard]] const T& front() const { return all_.front(); }
  // Returns the first element, and the elements that can be the second.
  [[nodiscard]] std::span<const T> next_ones() const {
    return {all_.data(), std::min(all_.size(), 1 + fan_out)};
  }

  void push(const T& one) {
    std::size_t place = all_.size();
    all_.push_back(one);
    while (place != 0) {
      const std::size_t above = (place - 1) / fan_out;
      if (!(one < all_[above])) break;
      all_[place] = all_[above];
      place = above;
    }
    all_[place] = one;
  }
  T pop() {
    const T first = all_.front();
    const T last = all_.back();
    all_.pop_back();
    if (!all_.empty()) replace_front(last);
    return first;
  }

 private:
  static constexpr std::size_t fan_out = 4;

  void replace_front(const T& one) {
    std::size_t place = 0;
    for (;;) {
      const std::size_t first = fan_out * place + 1;
      if (first >= all_.size()) break;
      const std::size_t earliest = first + fan_out <= all_.size() ? earliest_of_four(first)
                                                                  : earliest_in(first, all_.size());
      if (!(all_[earliest] < one)) break;
      all_[place] = all_[earliest];
      place = earliest;
    }
    all_[place] = one;
  }

  // No branches, because the result is unpredictable.
  [[nodiscard]] std::size_t earliest_of_four(std::size_t first) const {
    const T* const four = all_.data() + first;
    const std::size_t a = four[1] < four[0] ? 1 : 0;
    const std::size_t b = four[3] < four[2] ? 3 : 2;
    return first + (four[b] < four[a] ? b : a);
  }
  [[nodiscard]] std::size_t earliest_in(std::size_t first, std::size_t end) const {
    std::size_t earliest = first;
    for (std::size_t one = first + 1; one < end; ++one) {
      if (all_[one] < all_[earliest]) earliest = one;
    }
    return earliest;
  }

  std::vector<T> all_;
};

}  // namespace boxcar::detail
