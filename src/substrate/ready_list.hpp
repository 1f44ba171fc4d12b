// The list of the objects of a PE that have operations for the PE to execute. Any PE of the node
// adds objects, and the PE takes all objects at once. Hence a poll of the PE does not depend on the
// number of idle objects.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace boxcar::detail {

// The link of an object in the list, in memory of the node. Accessed under the object's lock.
struct ready_link {
  std::uint64_t next = 0;  // the number of the next object; 0: none
  bool is_listed = false;
};

class ready_list {
 public:
  // `first`: substrate::first_ready of the PE.
  explicit ready_list(std::atomic<std::uint64_t>& first) : first_(&first) {}

  // Adds an object, unless the object is listed. The caller holds the object's lock.
  void add(std::uint64_t number, ready_link& link) {
    if (std::exchange(link.is_listed, true)) return;
    link.next = first_->load(std::memory_order_relaxed);
    // Releases the link; pairs with the exchange in `take`. Sequentially consistent because of
    // `wake`: the PE sees the object before the PE sleeps, or is woken.
    while (!first_->compare_exchange_weak(link.next, number, std::memory_order_seq_cst,
                                          std::memory_order_relaxed)) {
    }
  }
  [[nodiscard]] bool is_empty() const { return first_->load(std::memory_order_relaxed) == 0; }
  // Empties the list. Returns the number of the first object, whose link leads to the next object;
  // 0 if the list was empty.
  [[nodiscard]] std::uint64_t take() {
    return is_empty() ? 0 : first_->exchange(0, std::memory_order_acquire);
  }

 private:
  std::atomic<std::uint64_t>* first_;
};

}  // namespace boxcar::detail
