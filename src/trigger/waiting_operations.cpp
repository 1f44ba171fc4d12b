#include "trigger/waiting_operations.hpp"

#include <utility>

namespace boxcar::detail {

bool waiting_operations::is_before(std::uint32_t a, std::uint32_t b) const {
  return std::pair(all_[a].threshold, all_[a].asked) < std::pair(all_[b].threshold, all_[b].asked);
}

void waiting_operations::add(std::uint32_t i) {
  ++mine_.count;
  record_list& list = mine_.ascending;
  if (list.empty() || is_before(list.last, i)) return list.add(all_, i);
  all_[i].next = no_record;
  all_[i].child = no_record;
  mine_.heap = merge(mine_.heap, i);
}

std::uint32_t waiting_operations::take(std::uint64_t sum) {
  record_list& list = mine_.ascending;
  const bool from_list =
      !list.empty() && (mine_.heap == no_record || is_before(list.first, mine_.heap));
  const std::uint32_t first = from_list ? list.first : mine_.heap;
  if (first == no_record || all_[first].threshold > sum) return no_record;
  --mine_.count;
  if (from_list) return list.take(all_);
  mine_.heap = merge_siblings(all_[first].child);
  return first;
}

std::uint32_t waiting_operations::merge(std::uint32_t a, std::uint32_t b) {
  if (a == no_record) return b;
  if (b == no_record) return a;
  if (is_before(b, a)) std::swap(a, b);
  all_[b].next = std::exchange(all_[a].child, b);
  return a;
}

// Merges pairs of siblings, and then the pairs from the last to the first.
std::uint32_t waiting_operations::merge_siblings(std::uint32_t first) {
  std::uint32_t pairs = no_record;
  while (first != no_record) {
    const std::uint32_t a = first;
    const std::uint32_t b = std::exchange(all_[a].next, no_record);
    first = b == no_record ? no_record : std::exchange(all_[b].next, no_record);
    const std::uint32_t pair = merge(a, b);
    all_[pair].next = std::exchange(pairs, pair);
  }
  std::uint32_t root = no_record;
  while (pairs != no_record) {
    const std::uint32_t rest = std::exchange(all_[pairs].next, no_record);
    root = merge(root, pairs);
    pairs = rest;
  }
  return root;
}

}  // namespace boxcar::detail
