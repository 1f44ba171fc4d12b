// The departure list of a collection on a PE has the objects that were asked to migrate, and knows
// when the objects may do so: references to objects must not be held.
#pragma once

#include <cstddef>
#include <vector>

namespace boxcar::detail {

template <typename Index>
class departure_list {
 public:
  void add(const Index& index) {
    waiting_.push_back(index);
    end_of_run_ = nullptr;
  }
  [[nodiscard]] bool empty() const { return waiting_.empty(); }
  // Precondition: not empty.
  Index take() {
    const Index index = waiting_.back();
    waiting_.pop_back();
    return index;
  }

  // Called around code that holds references to objects.
  void hold() { ++holders_; }
  void release() { --holders_; }
  [[nodiscard]] bool is_held() const { return holders_ != 0; }

  // The end of the run of items that is being handled, for the loop over the run: the loop stops
  // there, and also, because the end becomes nullptr, as soon as an object is added.
  void set_end_of_run(const std::byte* end) { end_of_run_ = end; }
  [[nodiscard]] const std::byte* end_of_run() const { return end_of_run_; }
  // Returns whether, between two items of a run, objects may and want to migrate. (A run may be
  // handled while the program waits in `for_each_local`.)
  [[nodiscard]] bool is_due_in_run() const { return holders_ == 1 && !empty(); }

 private:
  std::vector<Index> waiting_;
  int holders_ = 0;
  const std::byte* end_of_run_ = nullptr;
};

}  // namespace boxcar::detail
