// The learned locations are the cache of a PE that sends to objects which have moved. The size of
// the cache is bounded: for objects without an entry, messages go to the home, which forwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <boxcar/detail/collection_message.hpp>
#include <boxcar/key_hash.hpp>

namespace boxcar::detail {

// A learned location is the destination of the messages of a PE to an object. To keep the order, a
// PE changes the destination only after all of its earlier messages have been delivered: meanwhile
// messages wait at the PE.
template <typename Index>
struct learned_location {
  Index index{};
  int pe = 0;                // the destination
  std::uint64_t epoch = 0;   // number of migrations of the object when it was at `pe`
  bool is_used = false;      // in the current session
  int acknowledgements = 0;  // that are missing; messages wait while there are any
  int next_pe = 0;           // the newest acknowledged location
  std::uint64_t next_epoch = 0;
  std::vector<routed_message<Index>> waiting{};  // in the order of their sends
};

template <typename Index>
class learned_locations {
 public:
  explicit learned_locations(std::size_t max_entries) : max_(max_entries) {}

  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }

  // Returns the entry of an index, or nullptr.
  [[nodiscard]] learned_location<Index>* find(const Index& index) const {
    if (size_ == 0) return nullptr;
    for (std::size_t i = first_slot(index);; i = (i + 1) & (slots_.size() - 1)) {
      learned_location<Index>* const entry = slots_[i].get();
      if (entry == nullptr || entry->index == index) return entry;
    }
  }

  // Returns a new entry, or nullptr if the cache is full. Precondition: the index has no entry.
  learned_location<Index>* add(const Index& index) {
    if (size_ >= max_) return nullptr;
    if (2 * (size_ + 1) > slots_.size()) grow();
    auto entry = std::make_unique<learned_location<Index>>();
    entry->index = index;
    return place(std::move(entry));
  }

  // Between sessions: makes room in a cache that is nearly full, by forgetting entries that were
  // not used in the last session, or else all. Precondition: nothing waits.
  void make_room() {
    if (4 * size_ <= 3 * max_) {
      for (auto& entry : slots_) {
        if (entry != nullptr) entry->is_used = false;
      }
      return;
    }
    std::vector<std::unique_ptr<learned_location<Index>>> old(slots_.size());
    old.swap(slots_);
    std::size_t used = 0;
    for (const auto& entry : old) used += entry != nullptr && entry->is_used ? 1 : 0;
    size_ = 0;
    for (auto& entry : old) {
      if (entry == nullptr || !entry->is_used || 4 * used > 3 * max_) continue;
      entry->is_used = false;
      place(std::move(entry));
    }
  }

  // Forgets what is known about an object that no longer exists. Precondition: nothing waits.
  void clear() {
    slots_.clear();
    size_ = 0;
  }

  [[nodiscard]] std::size_t memory_bytes() const {
    return slots_.size() * sizeof(slots_[0]) + size_ * sizeof(learned_location<Index>);
  }

 private:
  [[nodiscard]] std::size_t first_slot(const Index& index) const {
    return static_cast<std::size_t>(key_hash<Index>()(index)) & (slots_.size() - 1);
  }
  void grow() {
    std::vector<std::unique_ptr<learned_location<Index>>> old(slots_.empty() ? 16
                                                                             : 2 * slots_.size());
    old.swap(slots_);
    size_ = 0;
    for (auto& entry : old) {
      if (entry != nullptr) place(std::move(entry));
    }
  }
  learned_location<Index>* place(std::unique_ptr<learned_location<Index>> entry) {
    std::size_t i = first_slot(entry->index);
    while (slots_[i] != nullptr) i = (i + 1) & (slots_.size() - 1);
    slots_[i] = std::move(entry);
    ++size_;
    return slots_[i].get();
  }

  std::size_t max_;
  std::size_t size_ = 0;
  std::vector<std::unique_ptr<learned_location<Index>>> slots_;  // a power of two, half full
};

}  // namespace boxcar::detail
