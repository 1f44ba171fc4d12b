// A table segment is a hash table of fixed capacity, a part of a local table: open addressing with
// linear probing. Each slot has a mark with seven bits of the hash, and a search examines a group
// of marks at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

#include <boxcar/detail/local_table_marks.hpp>

namespace boxcar::detail {

template <typename K, typename V>
struct table_entry {
  K key;
  V value;
};
template <typename K>
struct table_entry<K, void> {
  K key;
};

// The position of a key is a hash of the key: the upper 32 bits choose the slot at which a search
// begins.
template <typename Entry>
class table_segment {
 public:
  using key_type = decltype(Entry::key);
  static_assert(std::is_nothrow_move_constructible_v<Entry>,
                "keys and values of a local table are moved while the table grows: their move "
                "constructors must be noexcept");

  table_segment() = default;
  // The segment lies in `memory`, of bytes_of(capacity) bytes, which outlives the segment.
  table_segment(void* memory, std::uint32_t capacity)
      : entries_(static_cast<Entry*>(memory)), capacity_(capacity) {
    std::memset(marks(), empty_mark, capacity);
    std::memset(marks() + capacity, end_mark, mark_group::size);
  }
  table_segment(table_segment&& other) noexcept { *this = std::move(other); }
  // Precondition: this segment has no entries.
  table_segment& operator=(table_segment&& other) noexcept {
    std::swap(entries_, other.entries_);
    std::swap(capacity_, other.capacity_);
    std::swap(count_, other.count_);
    std::swap(erased_, other.erased_);
    return *this;
  }
  ~table_segment() { destroy_entries(); }

  // Destroys all entries, and forgets the memory.
  void clear() {
    destroy_entries();
    entries_ = nullptr;
    capacity_ = count_ = erased_ = 0;
  }

  static std::size_t bytes_of(std::uint32_t capacity) {
    return std::size_t{capacity} * (sizeof(Entry) + 1) + mark_group::size;
  }
  [[nodiscard]] void* memory() const { return entries_; }
  [[nodiscard]] std::uint32_t capacity() const { return capacity_; }
  [[nodiscard]] std::uint32_t count() const { return count_; }
  // Returns the number of slots that are not empty.
  [[nodiscard]] std::uint32_t used() const { return count_ + erased_; }
  [[nodiscard]] bool is_occupied(std::uint32_t slot) const {
    return is_occupied_mark(marks()[slot]);
  }
  [[nodiscard]] Entry& entry(std::uint32_t slot) { return entries_[slot]; }
  [[nodiscard]] const Entry& entry(std::uint32_t slot) const { return entries_[slot]; }

  // Requests the cache lines in which the search for a key begins.
  [[gnu::always_inline]] void prefetch(std::uint64_t position) const {
    const std::uint32_t slot = home(position);
    __builtin_prefetch(marks() + slot, 1);
    __builtin_prefetch(entries_ + slot, 1);
    if constexpr (sizeof(Entry) <= 32) {
      // Most keys lie a few slots behind the first slot of the search. (The next line is only an
      // address: an empty segment has no memory, and others may end before the line.)
      const auto next_line = reinterpret_cast<std::uintptr_t>(entries_ + slot) + 64;
      __builtin_prefetch(reinterpret_cast<const void*>(next_line), 1);
    }
  }

  // The end of a search.
  struct found_slot {
    std::uint32_t slot;
    bool is_match;  // false: the slot is empty, and the first empty slot of the search
  };

  // Precondition: the segment has an empty slot.
  [[nodiscard]] [[gnu::always_inline]] found_slot search(const key_type& key,
                                                         std::uint64_t position) const {
    const table_mark mark = mark_of(position);
    for (std::uint32_t slot = home(position);;) {
      const mark_group group(marks() + slot);
      for (mark_matches same = group.equal_to(mark); same; same.drop_first()) {
        const std::uint32_t at = slot + same.first();
        if (entries_[at].key == key) [[likely]]
          return {at, true};
      }
      if (const mark_matches empty = group.equal_to(empty_mark)) {
        return {slot + empty.first(), false};
      }
      slot += mark_group::size;
      if (slot >= capacity_) slot = 0;
    }
  }

  // Inserts an entry at the slot that a search without a match has returned, or at an erased slot
  // before. Returns the slot. Precondition: the segment has another empty slot.
  std::uint32_t insert(std::uint32_t slot, Entry&& e, std::uint64_t position) {
    if (erased_ != 0) [[unlikely]]
      slot = free_slot(position);
    if (marks()[slot] == erased_mark) --erased_;
    std::construct_at(entries_ + slot, std::move(e));
    marks()[slot] = mark_of(position);
    ++count_;
    return slot;
  }

  // Inserts an entry whose key is absent. Precondition: the segment has two empty slots, and no
  // erased slots.
  [[gnu::always_inline]] void insert_new(Entry&& e, std::uint64_t position) {
    for (std::uint32_t slot = home(position);;) {
      if (const mark_matches empty = mark_group(marks() + slot).equal_to(empty_mark)) {
        slot += empty.first();
        std::construct_at(entries_ + slot, std::move(e));
        marks()[slot] = mark_of(position);
        ++count_;
        return;
      }
      slot += mark_group::size;
      if (slot >= capacity_) slot = 0;
    }
  }

  void erase(std::uint32_t slot) {
    std::destroy_at(entries_ + slot);
    --count_;
    const std::uint32_t next = slot + 1 == capacity_ ? 0 : slot + 1;
    if (marks()[next] != empty_mark) {
      marks()[slot] = erased_mark;
      ++erased_;
      return;
    }
    // No search goes beyond the slot, nor beyond erased slots before the slot.
    marks()[slot] = empty_mark;
    for (;;) {
      slot = slot == 0 ? capacity_ - 1 : slot - 1;
      if (marks()[slot] != erased_mark) return;
      marks()[slot] = empty_mark;
      --erased_;
    }
  }

  // Calls `visit(slot)` for all occupied slots.
  template <typename Visit>
  [[gnu::always_inline]] void for_each_slot(const Visit& visit) const {
    for (std::uint32_t slot = 0; slot < capacity_; slot += mark_group::size) {
      mark_matches occupied = mark_group(marks() + slot).occupied();
      for (; occupied; occupied.drop_first()) visit(slot + occupied.first());
    }
  }

  // Moves the segment to memory of the same size.
  [[nodiscard]] table_segment copy_to(void* memory)
    requires std::is_trivially_copyable_v<Entry>
  {
    std::memcpy(memory, static_cast<const void*>(entries_), bytes_of(capacity_));
    table_segment copy(std::move(*this));
    copy.entries_ = static_cast<Entry*>(memory);
    return copy;
  }

  // Calls `take(Entry&&)` for all entries. The segment is empty afterwards, and has no memory.
  template <typename Take>
  [[gnu::always_inline]] void drain(const Take& take) {
    for_each_slot([&](std::uint32_t slot) {
      take(std::move(entries_[slot]));
      std::destroy_at(entries_ + slot);
    });
    entries_ = nullptr;
    capacity_ = count_ = erased_ = 0;
  }

 private:
  [[nodiscard]] table_mark* marks() const {
    return reinterpret_cast<table_mark*>(entries_ + capacity_);
  }
  [[nodiscard]] std::uint32_t home(std::uint64_t position) const {
    return static_cast<std::uint32_t>(((position >> 32) * capacity_) >> 32);
  }
  static table_mark mark_of(std::uint64_t position) { return occupied_mark(position >> 33); }

  // Returns the first slot of a search that is empty or erased.
  [[nodiscard]] std::uint32_t free_slot(std::uint64_t position) const {
    std::uint32_t slot = home(position);
    while (marks()[slot] != empty_mark && marks()[slot] != erased_mark) {
      slot = slot + 1 == capacity_ ? 0 : slot + 1;
    }
    return slot;
  }

  void destroy_entries() {
    if constexpr (!std::is_trivially_destructible_v<Entry>) {
      for_each_slot([this](std::uint32_t slot) { std::destroy_at(entries_ + slot); });
    }
  }

  Entry* entries_ = nullptr;  // followed by the marks
  std::uint32_t capacity_ = 0;
  std::uint32_t count_ = 0;
  std::uint32_t erased_ = 0;
};

}  // namespace boxcar::detail
