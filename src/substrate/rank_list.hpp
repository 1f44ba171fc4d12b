// The ranks of the PEs of a world in an enclosing world. Evenly spaced ranks, as in most subworlds,
// take no memory.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace boxcar::detail {

class rank_list {
 public:
  // All ranks in order: 0, 1, ...
  explicit rank_list(int size) : size_(size) {}
  explicit rank_list(std::vector<int> ranks)
      : size_(static_cast<int>(ranks.size())),
        first_(ranks.empty() ? 0 : ranks[0]),
        step_(size_ < 2 ? 1 : ranks[1] - ranks[0]) {
    for (int i = 0; i < size_; ++i) {
      if (ranks[static_cast<std::size_t>(i)] == first_ + i * step_) continue;
      list_ = std::move(ranks);
      return;
    }
  }

  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] int operator[](int i) const {
    return list_.empty() ? first_ + i * step_ : list_[static_cast<std::size_t>(i)];
  }

 private:
  int size_;
  int first_ = 0;
  int step_ = 1;
  std::vector<int> list_;  // empty if the ranks are evenly spaced
};

}  // namespace boxcar::detail
