// A peer_objects table gives the PEs of a world of a simulated machine access to one another's
// objects, while the objects exist.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace boxcar::detail {

// The table is indexed by rank; nullptr: the object of the PE is gone. The destructor clears the
// entry of this PE.
template <typename T>
class peer_objects {
 public:
  using table = std::shared_ptr<std::vector<T*>>;

  peer_objects() = default;
  // The table may be null.
  peer_objects(table all, int mine) : all_(std::move(all)), mine_(static_cast<std::size_t>(mine)) {}
  peer_objects(peer_objects&& other) noexcept : all_(std::move(other.all_)), mine_(other.mine_) {}
  peer_objects& operator=(peer_objects&& other) noexcept {
    std::swap(all_, other.all_);
    std::swap(mine_, other.mine_);
    return *this;
  }
  ~peer_objects() {
    if (all_ != nullptr) (*all_)[mine_] = nullptr;
  }

  [[nodiscard]] T* of(int pe) const { return (*all_)[static_cast<std::size_t>(pe)]; }
  // Returns the table, for messages in flight to one of the objects.
  [[nodiscard]] const table& all() const { return all_; }

 private:
  table all_;
  std::size_t mine_ = 0;
};

}  // namespace boxcar::detail
