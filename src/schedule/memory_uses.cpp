#include "schedule/memory_uses.hpp"

#include <algorithm>

namespace boxcar::detail {
namespace {

void add(std::vector<int>& after, int other, int vertex) {
  if (other < 0 || other == vertex) return;
  if (std::ranges::find(after, other) == after.end()) after.push_back(other);
}

}  // namespace

void memory_uses::split(std::uintptr_t at) {
  auto next = pieces_.lower_bound(at);
  if (next == pieces_.begin()) return;
  const auto before = std::prev(next);
  if (before->second.end <= at) return;
  const piece behind = before->second;
  before->second.end = at;
  pieces_.emplace_hint(next, at, behind);
}

void memory_uses::read(std::span<const std::byte> there, int vertex, std::vector<int>& after) {
  auto at = reinterpret_cast<std::uintptr_t>(there.data());
  const std::uintptr_t end = at + there.size();
  if (at == end) return;
  split(at);
  split(end);
  for (auto next = pieces_.lower_bound(at); at < end; ++next) {
    // Adds a piece for memory without a user so far.
    const std::uintptr_t until = next == pieces_.end() ? end : std::min(end, next->first);
    if (at < until) next = pieces_.emplace_hint(next, at, piece{until, nobody, {}});
    add(after, next->second.written_by, vertex);
    next->second.read_by.push_back(vertex);
    at = next->second.end;
  }
}

void memory_uses::write(std::span<const std::byte> there, int vertex, std::vector<int>& after) {
  const auto at = reinterpret_cast<std::uintptr_t>(there.data());
  const std::uintptr_t end = at + there.size();
  if (at == end) return;
  split(at);
  split(end);
  const auto first = pieces_.lower_bound(at);
  const auto last = pieces_.lower_bound(end);
  for (auto p = first; p != last; ++p) {
    add(after, p->second.written_by, vertex);
    for (const int r : p->second.read_by) add(after, r, vertex);
  }
  pieces_.emplace_hint(pieces_.erase(first, last), at, piece{end, vertex, {}});
}

}  // namespace boxcar::detail
