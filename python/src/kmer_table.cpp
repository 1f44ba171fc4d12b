#include "kmer_table.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>
#include <vector>

#include "hash.hpp"
#include "table_growth.hpp"

namespace boxcar::python {
namespace {

constexpr std::size_t kmers_at_once = 32;
constexpr std::size_t first_kmer_slots = 1024;
constexpr int digit_bits = 11;

}  // namespace

kmer_table::kmer_table() : mask_(first_kmer_slots - 1), pages_(first_kmer_slots * sizeof(slot)) {}

std::int32_t kmer_table::pe_of_kmer(std::uint64_t kmer, std::uint64_t pes) {
  return pe_of_hash(hash_of_word(kmer), pes);
}

std::size_t kmer_table::place_of(std::uint64_t kmer) const {
  return hash_of_word(kmer) & mask_;
}

kmer_table::slot& kmer_table::find_from(std::size_t place, std::uint64_t kmer) const {
  while (slots()[place].count != 0 && slots()[place].kmer != kmer) place = (place + 1) & mask_;
  return slots()[place];
}

void kmer_table::grow() {
  const std::size_t old_capacity = capacity();
  pages_.grow(2 * old_capacity * sizeof(slot));
  mask_ = 2 * old_capacity - 1;
  const auto is_empty = [this](std::size_t place) { return slots()[place].count == 0; };
  move_records(old_capacity, is_empty, [&](std::size_t place) {
    const slot moved = std::exchange(slots()[place], slot{});
    find_from(place_of(moved.kmer), moved.kmer) = moved;
  });
}

void kmer_table::add(std::span<const std::uint64_t> kmers) {
  std::array<std::size_t, kmers_at_once> places;
  while (!kmers.empty()) {
    const std::size_t n = std::min(kmers_at_once, kmers.size());
    if (size_ + n > capacity() / 4 * 3) grow();
    // All places are prefetched before the first place is read.
    for (std::size_t i = 0; i < n; ++i) {
      places[i] = place_of(kmers[i]);
      __builtin_prefetch(&slots()[places[i]], 1);
    }
    for (std::size_t i = 0; i < n; ++i) {
      slot& s = find_from(places[i], kmers[i]);
      s.kmer = kmers[i];
      size_ += s.count == 0 ? 1 : 0;
      s.count += s.count != largest_count ? 1 : 0;
    }
    kmers = kmers.subspan(n);
  }
}

void kmer_table::find(std::span<const std::uint64_t> kmers, std::span<std::int64_t> counts) const {
  for (std::size_t i = 0; i < kmers.size(); ++i) {
    counts[i] = find_from(place_of(kmers[i]), kmers[i]).count;
  }
}

template <typename Visit>
void kmer_table::for_each(std::uint64_t min_count, const Visit& visit) const {
  for (const slot& s : std::span<const slot>(slots(), capacity())) {
    if (s.count != 0 && s.count >= min_count) visit(s);
  }
}

std::map<std::uint64_t, std::uint64_t> kmer_table::spectrum() const {
  std::vector<std::uint64_t> low(1 << 12);  // for most, a map would be slow
  std::map<std::uint64_t, std::uint64_t> result;
  for_each(1, [&](const slot& s) { ++(s.count < low.size() ? low[s.count] : result[s.count]); });
  for (std::size_t count = 1; count < low.size(); ++count) {
    if (low[count] != 0) result[count] = low[count];
  }
  return result;
}

// The k-mers are sorted by the highest digit during the copy, and then each group with the same
// digit, which is small, by comparison.
void kmer_table::copy(std::uint64_t min_count, std::span<std::uint64_t> kmers,
                      std::span<std::int64_t> counts) const {
  std::uint64_t all_bits = 0;
  for_each(min_count, [&](const slot& s) { all_bits |= s.kmer; });
  const int shift = std::max(0, static_cast<int>(std::bit_width(all_bits)) - digit_bits);
  const auto digit_of = [&](const slot& s) { return static_cast<std::size_t>(s.kmer >> shift); };
  std::vector<std::size_t> ends(1 << digit_bits);
  for_each(min_count, [&](const slot& s) { ++ends[digit_of(s)]; });
  std::size_t first = 0;
  for (std::size_t& place : ends) first += std::exchange(place, first);
  for_each(min_count, [&](const slot& s) {
    const std::size_t place = ends[digit_of(s)]++;
    kmers[place] = s.kmer;
    counts[place] = s.count;
  });
  std::vector<std::pair<std::uint64_t, std::int64_t>> group;
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    group.clear();
    for (std::size_t i = begin; i < end; ++i) group.emplace_back(kmers[i], counts[i]);
    std::sort(group.begin(), group.end());
    for (const auto& [kmer, count] : group) {
      kmers[begin] = kmer;
      counts[begin++] = count;
    }
  }
}

}  // namespace boxcar::python
