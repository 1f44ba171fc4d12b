// Objects of all PEs of a world of a simulated machine that reach one another, while they exist.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace boxcar::detail {

// By rank; nullptr: that of a PE is gone, as this PE's is when this is destroyed.
template <typename T>
class meeting {
 public:
  using table = std::shared_ptr<std::vector<T*>>;

  meeting() = default;
  // The table may be none.
  meeting(table all, int mine) : all_(std::move(all)), mine_(static_cast<std::size_t>(mine)) {}
  meeting(meeting&& other) noexcept : all_(std::move(other.all_)), mine_(other.mine_) {}
  meeting& operator=(meeting&& other) noexcept {
    std::swap(all_, other.all_);
    std::swap(mine_, other.mine_);
    return *this;
  }
  ~meeting() {
    if (all_ != nullptr) (*all_)[mine_] = nullptr;
  }

  [[nodiscard]] T* of(int pe) const { return (*all_)[static_cast<std::size_t>(pe)]; }
  // For what is on its way to one of them.
  [[nodiscard]] const table& all() const { return all_; }

 private:
  table all_;
  std::size_t mine_ = 0;
};

}  // namespace boxcar::detail
