#include "substrate/peer_list.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace boxcar::detail::peer_list {
namespace {

struct entry {
  std::int32_t pe;
  std::uint32_t link;
};

struct head {
  std::uint64_t entries;
  entry first;
  entry last;
};

// The number of entries fetched at once: a window costs hardly more than one entry.
constexpr std::size_t window = 16;

}  // namespace

std::size_t bytes(std::size_t pes) {
  return pes == 0 ? 0 : sizeof(head) + pes * sizeof(entry);
}

void write(std::byte* list, const std::vector<int>& pes) {
  if (pes.empty()) return;
  std::vector<entry> entries;
  entries.reserve(pes.size());
  for (const int pe : pes) entries.push_back({pe, static_cast<std::uint32_t>(entries.size())});
  std::ranges::sort(entries, {}, &entry::pe);
  const head h{entries.size(), entries.front(), entries.back()};
  std::memcpy(list, &h, sizeof h);
  std::memcpy(list + sizeof h, entries.data(), entries.size() * sizeof(entry));
}

// Ranks are mostly evenly spaced: then the first guess is right. Every other guess halves the
// range, however the ranks are spaced.
std::uint32_t find(remote_memory& memory, int pe, std::size_t list_at, int me) {
  head h;
  memory.get(pe, list_at, &h, sizeof h);
  if (h.first.pe == me) return h.first.link;
  if (h.last.pe == me) return h.last.link;
  std::uint64_t begin = 0;
  std::uint64_t end = h.entries;
  std::int64_t low = h.first.pe;  // bounds of the ranks in between
  std::int64_t high = h.last.pe;
  for (bool halve = false;; halve = !halve) {
    const std::uint64_t guess =
        halve ? begin + (end - begin) / 2
              : begin + static_cast<std::uint64_t>(me - low) * (end - 1 - begin) /
                            static_cast<std::uint64_t>(std::max<std::int64_t>(high - low, 1));
    const std::uint64_t from = std::max(begin, guess - std::min<std::uint64_t>(guess, window / 2));
    const std::uint64_t n = std::min<std::uint64_t>(window, end - from);
    std::array<entry, window> some;
    memory.get(pe, list_at + sizeof h + from * sizeof(entry), some.data(), n * sizeof(entry));
    const auto last = some.begin() + static_cast<std::ptrdiff_t>(n);
    const auto found = std::lower_bound(some.begin(), last, me,
                                        [](const entry& e, int rank) { return e.pe < rank; });
    if (found != last && found->pe == me) return found->link;
    if (found == some.begin()) {
      end = from;
      high = some.front().pe;
    } else {
      begin = from + n;
      low = some[n - 1].pe;
    }
  }
}

}  // namespace boxcar::detail::peer_list
