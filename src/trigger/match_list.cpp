#include "trigger/match_list.hpp"

namespace boxcar::detail {

void match_list::append(std::uint32_t i) {
  entry_record& e = entries_[i];
  const bool is_exact = e.source != any_pe && e.ignored_bits == 0;
  e.bucket = is_exact ? bucket_of(e.source, e.bits) : head_.buckets;
  e.is_linked = true;
  e.linked_as = ++head_.linked;
  e.used = 0;
  e.previous = buckets_[e.bucket].empty() ? no_record : buckets_[e.bucket].last;
  buckets_[e.bucket].add(entries_, i);
}

void match_list::unlink(std::uint32_t i) {
  entry_record& e = entries_[i];
  record_list& bucket = buckets_[e.bucket];
  (e.previous == no_record ? bucket.first : entries_[e.previous].next) = e.next;
  (e.next == no_record ? bucket.last : entries_[e.next].previous) = e.previous;
  e.is_linked = false;
}

}  // namespace boxcar::detail
