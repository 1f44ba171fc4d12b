// The match list of an adapter: finds the entry that accepts a message. A hash table has the
// entries with a fixed source and no ignored bits, whose number does not affect the cost; a
// separate list has the entries with wildcards. Across both, the entry that was appended first
// wins.
#pragma once

#include <cstdint>

#include "trigger/records.hpp"

namespace boxcar::detail {

class match_list {
 public:
  // `buckets` has head.buckets + 1 elements.
  match_list(adapter_head& head, entry_record* entries, record_list* buckets)
      : head_(head), entries_(entries), buckets_(buckets) {}

  // Appends the entry at the end.
  void append(std::uint32_t i);
  void unlink(std::uint32_t i);

  // Returns the first matching entry for which `fits(entry)` is true, or no_record.
  template <typename Fits>
  [[nodiscard]] std::uint32_t find(std::int32_t source, std::uint64_t bits,
                                   const Fits& fits) const {
    std::uint32_t exact = buckets_[bucket_of(source, bits)].first;
    for (; exact != no_record; exact = entries_[exact].next) {
      const entry_record& e = entries_[exact];
      if (e.source == source && e.bits == bits && fits(e)) break;
    }
    for (std::uint32_t i = buckets_[head_.buckets].first; i != no_record; i = entries_[i].next) {
      const entry_record& e = entries_[i];
      if (exact != no_record && e.linked_as > entries_[exact].linked_as) break;
      const bool is_source = e.source == any_pe || e.source == source;
      if (is_source && ((e.bits ^ bits) & ~e.ignored_bits) == 0 && fits(e)) return i;
    }
    return exact;
  }

 private:
  [[nodiscard]] std::uint32_t bucket_of(std::int32_t source, std::uint64_t bits) const {
    constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;
    const std::uint64_t mixed = (bits * golden ^ static_cast<std::uint32_t>(source)) * golden;
    return static_cast<std::uint32_t>(mixed >> 32) & (head_.buckets - 1);
  }

  adapter_head& head_;
  entry_record* entries_;
  record_list* buckets_;
};

}  // namespace boxcar::detail
