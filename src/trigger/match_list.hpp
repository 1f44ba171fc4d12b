// The match list of an adapter: which entry takes a message. Entries that name a source and all
// bits are found by a table, so that the number of others does not matter; those that match
// several kinds of messages stand in a list of their own. The first in the order of appending
// counts, whichever of the two it is in.
#pragma once

#include <cstdint>

#include "trigger/records.hpp"

namespace boxcar::detail {

class match_list {
 public:
  // `buckets`: one more than `head` says.
  match_list(adapter_head& head, entry_record* entries, record_list* buckets)
      : head_(head), entries_(entries), buckets_(buckets) {}

  // At the end.
  void append(std::uint32_t i);
  void unlink(std::uint32_t i);

  // The first that matches, and of which `fits(entry)` is true; no_record: none.
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
