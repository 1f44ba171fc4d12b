// A local table is the hash table in which a PE keeps its keys of a distributed container. The
// table is Boxcar's own because of two needs: about 1.3 times the memory of the keys and values at
// most, at every size from a thousand keys on, also while the table grows, and the prefetch of the
// slots of many keys ahead of their use.
//
// The table consists of segments of some 100 KiB, chosen by hash. Each segment grows by itself, by
// an eighth or less, within the caches: so growth needs no second copy of the table. Segments of a
// large table grow at different times, and the free slots of all segments together stay near their
// mean.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include <boxcar/detail/hash_salt.hpp>
#include <boxcar/detail/local_table_loops.hpp>
#include <boxcar/detail/local_table_memory.hpp>
#include <boxcar/detail/local_table_segment.hpp>
#include <boxcar/key_hash.hpp>

namespace boxcar::detail {

// V is void for a set. The hash of a key is passed to most functions, as callers need the hash
// anyway.
template <typename K, typename V, typename Hash = key_hash<K>>
class local_table {
 public:
  using entry_type = table_entry<K, V>;

  local_table() : segments_(1) {}
  local_table(const local_table&) = delete;
  local_table& operator=(const local_table&) = delete;
  ~local_table() { clear_segments(); }

  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] static std::uint64_t hash_of(const K& key) { return Hash()(key); }

  // Requests the cache lines of the key with the hash. Thread safety: none, as all functions.
  [[gnu::always_inline]] void prefetch(std::uint64_t hash) const {
    segment_of(local(hash)).prefetch(position(local(hash)));
  }

  // Returns the entry of the key, or nullptr.
  [[nodiscard]] [[gnu::always_inline]] entry_type* find(const K& key, std::uint64_t hash) {
    segment& s = segment_of(local(hash));
    if (s.count() == 0) return nullptr;
    const auto found = s.search(key, position(local(hash)));
    return found.is_match ? &s.entry(found.slot) : nullptr;
  }

  // Returns the entry of the key; if the key is absent, the entry that `make()` returns is inserted
  // first. References to other entries become invalid. Throws std::bad_alloc; contract_error if the
  // table would have to grow during a loop.
  template <typename Make>
  [[gnu::always_inline]] entry_type& find_or_insert(const K& key, std::uint64_t hash,
                                                    const Make& make) {
    segment& s = segment_of(local(hash));
    if (s.capacity() == 0) [[unlikely]]
      return insert_into_full(key, hash, make());
    const auto found = s.search(key, position(local(hash)));
    if (found.is_match) return s.entry(found.slot);
    if (s.used() >= max_count(s.capacity())) [[unlikely]]
      return insert_into_full(key, hash, make());
    return insert_at(s, found.slot, hash, make());
  }

  // Returns false if the key is absent. References to other entries become invalid. Throws
  // contract_error in a handler, during a loop outside of the handler.
  bool erase(const K& key, std::uint64_t hash) {
    segment& s = segment_of(local(hash));
    if (s.count() == 0) return false;
    const auto found = s.search(key, position(local(hash)));
    if (!found.is_match) return false;
    loops_.require_no_handler("a message would erase a key");
    s.erase(found.slot);
    --count_;
    return true;
  }

  // Gives all memory back. Throws contract_error during a loop.
  void clear() {
    loops_.require_none("clear would remove all keys");
    clear_segments();
    segments_ = std::vector<segment>(1);
    memory_ = local_table_memory();
    bits_ = 0;
    count_ = 0;
    factor_ = new_factor();
  }

  // Makes room for `keys` keys in all. In one of some thousand tables of several segments, a
  // segment that the hash favours grows nevertheless.
  void reserve(std::size_t keys) {
    while (segments_.size() * max_mean_count < keys) split();
    // The number of keys in a segment varies by the square root of the number.
    const std::size_t mean = keys >> bits_;
    std::size_t deviation = 0;
    while (deviation * deviation < mean) ++deviation;
    const std::size_t each = segments_.size() == 1 ? keys : mean + 4 * deviation;
    for (std::size_t i = 0; i != segments_.size(); ++i) {
      if (max_count(segments_[i].capacity()) < each) rebuild(i, capacity_for(each));
    }
  }

  [[nodiscard]] std::size_t memory_bytes() const {
    std::size_t bytes = sizeof *this + segments_.capacity() * sizeof(segment);
    for (std::size_t i = 0; i != segments_.size(); ++i) {
      if (segments_[i].capacity() == 0) continue;
      const std::size_t used = segment::bytes_of(segments_[i].capacity());
      bytes += is_in_area(i) ? local_table_memory::whole_pages(used) : used;
    }
    return bytes;
  }

  // Calls `visit(entry)` for all entries. Meanwhile the table does not grow, and `visit` may erase
  // entries.
  template <typename Visit>
  void for_each(const Visit& visit) {
    const local_table_loops::scope loop(loops_);
    for (entry_type& e : *this) visit(e);
  }

  // A forward iterator over the entries, in no particular order.
  template <bool is_const>
  class basic_iterator {
   public:
    using table = std::conditional_t<is_const, const local_table, local_table>;
    using value_type = entry_type;
    using reference = std::conditional_t<is_const, const entry_type&, entry_type&>;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::forward_iterator_tag;
    using pointer = std::remove_reference_t<reference>*;

    basic_iterator() = default;
    basic_iterator(table& t, std::size_t segment) : table_(&t), segment_(segment) { settle(); }

    reference operator*() const { return table_->segments_[segment_].entry(slot_); }
    pointer operator->() const { return &**this; }
    basic_iterator& operator++() {
      ++slot_;
      settle();
      return *this;
    }
    basic_iterator operator++(int) {
      basic_iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const basic_iterator&, const basic_iterator&) = default;

   private:
    // Goes on to an occupied slot, or to the end.
    void settle() {
      for (; segment_ != table_->segments_.size(); ++segment_, slot_ = 0) {
        const segment_type& s = table_->segments_[segment_];
        while (slot_ != s.capacity() && !s.is_occupied(slot_)) ++slot_;
        if (slot_ != s.capacity()) return;
      }
      slot_ = 0;
    }
    using segment_type = table_segment<entry_type>;

    table* table_ = nullptr;
    std::size_t segment_ = 0;
    std::uint32_t slot_ = 0;
  };
  using iterator = basic_iterator<false>;
  using const_iterator = basic_iterator<true>;

  [[nodiscard]] iterator begin() { return {*this, 0}; }
  [[nodiscard]] iterator end() { return {*this, segments_.size()}; }
  [[nodiscard]] const_iterator begin() const { return {*this, 0}; }
  [[nodiscard]] const_iterator end() const { return {*this, segments_.size()}; }

 private:
  using segment = table_segment<entry_type>;

  // The maximum number of keys per segment, on average: the segments fit in the nearest caches.
  static constexpr std::size_t max_mean_count =
      std::clamp<std::size_t>(131072 / sizeof(entry_type), 64, 16384);
  // One of so many slots stays empty. The mark of a slot is a large share of a small entry: so the
  // table then has fewer empty slots, and grows in smaller steps.
  static constexpr bool is_small = sizeof(entry_type) < 16;
  static constexpr std::uint32_t slots_per_empty_slot = is_small ? 16 : 11;
  // A segment grows by one of so many slots.
  static constexpr std::uint32_t growth_of_few_segments = is_small ? 24 : 20;
  static constexpr std::uint32_t growth_of_many_segments = is_small ? 12 : 8;
  // From so many segments on, segments grow at different times.
  static constexpr std::size_t many_segments = 8;

  // The upper bits of the product depend on all bits of the hash. (The upper half of the hash
  // decides about the owner of the key, and says little here.) A random odd factor is the salt of
  // the table. Source: M. Dietzfelbinger et al., A reliable randomized algorithm for the
  // closest-pair problem, 1997, section 2.
  [[nodiscard]] std::uint64_t local(std::uint64_t hash) const { return hash * factor_; }
  static std::uint64_t new_factor() { return next_hash_salt() | 1; }
  [[nodiscard]] std::uint64_t position(std::uint64_t local_hash) const {
    return local_hash << bits_;
  }
  [[nodiscard]] std::size_t number_of(std::uint64_t local_hash) const {
    return (local_hash >> 1) >> (63 - bits_);
  }
  [[nodiscard]] segment& segment_of(std::uint64_t local_hash) {
    return segments_[number_of(local_hash)];
  }
  [[nodiscard]] const segment& segment_of(std::uint64_t local_hash) const {
    return segments_[number_of(local_hash)];
  }

  static std::uint32_t max_count(std::uint32_t capacity) {
    return capacity < min_capacity ? 0 : capacity - capacity / slots_per_empty_slot - 1;
  }
  // Returns the least capacity for the number of keys.
  static std::uint32_t capacity_for(std::size_t keys) {
    const std::size_t capacity = keys + keys / (slots_per_empty_slot - 1) + 2;
    if (capacity > max_capacity) throw std::bad_alloc();
    return std::max(min_capacity, static_cast<std::uint32_t>(capacity));
  }
  static constexpr std::align_val_t alignment{alignof(entry_type)};
  static constexpr std::uint32_t min_capacity = 4;
  static constexpr std::size_t max_capacity = 0xffffffff;

  entry_type& insert_at(segment& s, std::uint32_t slot, std::uint64_t hash, entry_type&& e) {
    const std::uint32_t to = s.insert(slot, std::move(e), position(local(hash)));
    ++count_;
    return s.entry(to);
  }

  // Precondition: the segment of the key is full.
  [[gnu::noinline]] entry_type& insert_into_full(const K& key, std::uint64_t hash, entry_type&& e) {
    loops_.require_none("a message would insert a key for which the table must grow");
    if (count_ >= segments_.size() * max_mean_count) split();
    const std::size_t i = number_of(local(hash));
    if (segments_[i].used() >= max_count(segments_[i].capacity())) grow(i);
    segment& s = segments_[i];
    const auto found = s.search(key, position(local(hash)));
    return insert_at(s, found.slot, hash, std::move(e));
  }

  void grow(std::size_t i) {
    const segment& s = segments_[i];
    std::uint32_t capacity = s.capacity();
    // If there are many erased slots, the segment is cleared of them, and keeps the capacity.
    if (s.count() >= max_count(capacity) - capacity / 16) {
      const std::size_t part =
          segments_.size() < many_segments ? growth_of_few_segments : growth_of_many_segments;
      const std::size_t more = std::max<std::size_t>(capacity / part, 2);
      capacity = std::max(
          capacity_for(s.count() + 1),
          static_cast<std::uint32_t>(std::min<std::size_t>(capacity + more, max_capacity)));
    }
    rebuild(i, capacity);
  }

  // Gives a segment another capacity, within its area if possible.
  void rebuild(std::size_t i, std::uint32_t capacity) {
    const bool was_in_area = is_in_area(i);
    segment& s = segments_[i];
    void* const before = s.memory();
    if (was_in_area && fits_area(capacity)) {
      const std::size_t bytes = segment::bytes_of(s.capacity());
      void* const aside_memory = ::operator new(bytes, alignment);
      segment aside = move_aside(s, aside_memory);
      segment larger(memory_.area(i), capacity);
      move_entries(aside, larger);
      s = std::move(larger);
      ::operator delete(aside_memory, alignment);
    } else {
      segment larger = new_segment(memory_, i, capacity);
      move_entries(s, larger);
      free_memory(i, before, was_in_area);
      s = std::move(larger);
    }
  }

  // Moves a segment to other memory of the same size.
  static segment move_aside(segment& s, void* memory) {
    if constexpr (std::is_trivially_copyable_v<entry_type>) {
      return s.copy_to(memory);
    } else {
      segment aside(memory, s.capacity());
      std::uint32_t slot = 0;
      s.drain([&](entry_type&& e) { aside.insert(slot++, std::move(e), 0); });
      return aside;
    }
  }

  // Precondition: `to` has room.
  void move_entries(segment& from, segment& to) {
    from.drain([&, bits = bits_, factor = factor_](entry_type&& e) {
      const std::uint64_t at = hash_of(e.key) * factor << bits;
      to.insert_new(std::move(e), at);
    });
  }

  // Doubles the number of segments, one segment after the other.
  void split() {
    constexpr std::size_t max_area_count = max_mean_count + max_mean_count / 2;
    local_table_memory areas(2 * segments_.size(), segment::bytes_of(capacity_for(max_area_count)));
    std::vector<segment> halves(2 * segments_.size());
    for (std::size_t i = 0; i != segments_.size(); ++i) split(i, areas, halves);
    segments_ = std::move(halves);
    memory_ = std::move(areas);
    ++bits_;
  }
  void split(std::size_t i, const local_table_memory& areas, std::vector<segment>& halves) {
    segment& s = segments_[i];
    std::uint32_t upper = 0;
    s.for_each_slot([&](std::uint32_t slot) {
      upper += static_cast<std::uint32_t>(position(local(hash_of(s.entry(slot).key))) >> 63);
    });
    const std::uint32_t counts[2] = {s.count() - upper, upper};
    for (std::size_t half = 0; half != 2; ++half) {
      const std::size_t number = 2 * i + half;
      if (counts[half] == 0) continue;
      halves[number] = new_segment(areas, number, capacity_in_phase(number, counts[half]));
    }
    const bool was_in_area = is_in_area(i);
    void* const before = s.memory();
    s.drain([&, bits = bits_, factor = factor_](entry_type&& e) {
      const std::uint64_t at = hash_of(e.key) * factor << bits;
      halves[2 * i + (at >> 63)].insert_new(std::move(e), at << 1);
    });
    free_memory(i, before, was_in_area);
  }
  // Returns a capacity for the number of keys, in a split. The capacity is up to one step of growth
  // more than needed, depending on the segment: so the segments grow at different times.
  [[nodiscard]] std::uint32_t capacity_in_phase(std::size_t number, std::size_t keys) const {
    if (2 * segments_.size() < many_segments) return capacity_for(keys);
    const std::uint64_t phase = (number * 0x9e3779b97f4a7c15) >> 56;
    return capacity_for(keys + keys * phase / (growth_of_many_segments * 256));
  }

  // --- Memory: in the area of the segment, or in the heap if the segment is alone or too large
  // ----
  [[nodiscard]] bool fits_area(std::uint32_t capacity) const {
    return segment::bytes_of(capacity) <= memory_.area_bytes();
  }
  [[nodiscard]] bool is_in_area(std::size_t i) const {
    return memory_.area_bytes() != 0 && segments_[i].memory() == memory_.area(i);
  }
  static segment new_segment(const local_table_memory& areas, std::size_t i,
                             std::uint32_t capacity) {
    const std::size_t bytes = segment::bytes_of(capacity);
    const bool fits = bytes <= areas.area_bytes();
    return segment(fits ? areas.area(i) : ::operator new(bytes, alignment), capacity);
  }
  // Frees the former memory of a segment.
  void free_memory(std::size_t i, void* memory, bool is_area) {
    if (is_area) {
      memory_.release(i);
    } else {
      ::operator delete(memory, alignment);
    }
  }
  void clear_segments() {
    for (std::size_t i = 0; i != segments_.size(); ++i) {
      void* const in_heap = is_in_area(i) ? nullptr : segments_[i].memory();
      segments_[i].clear();
      ::operator delete(in_heap, alignment);
    }
  }

  std::vector<segment> segments_;  // 2 to the power of `bits_`, by the upper bits of the local hash
  local_table_memory memory_;      // of several segments
  unsigned bits_ = 0;
  std::size_t count_ = 0;
  std::uint64_t factor_ = new_factor();  // see `local`
  local_table_loops loops_;
};

}  // namespace boxcar::detail
