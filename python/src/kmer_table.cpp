#include "kmer_table.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>
#include <vector>

#include "hash.hpp"
#include "key_words.hpp"
#include "table_growth.hpp"

namespace boxcar::python {
namespace {

constexpr std::size_t kmers_at_once = 32;
constexpr std::size_t first_kmer_slots = 1024;
constexpr int digit_bits = 11;

// The hash of a k-mer as a key of group_by_key: a number, or a structure of several words.
template <std::size_t Words>
std::uint64_t hash_of_kmer(kmer_code<Words> kmer) {
  if constexpr (Words == 1) {
    return hash_of_word(kmer);
  } else {
    const auto* bytes = reinterpret_cast<const std::byte*>(kmer.data());
    return hash_of_bytes(bytes, used_bytes(bytes, sizeof kmer));
  }
}

}  // namespace

template <std::size_t Words>
kmer_table<Words>::kmer_table()
    : mask_(first_kmer_slots - 1), pages_(first_kmer_slots * sizeof(slot)) {}

template <std::size_t Words>
std::int32_t kmer_table<Words>::pe_of_kmer(code kmer, std::uint64_t pes) {
  return pe_of_hash(hash_of_kmer<Words>(kmer), pes);
}

template <std::size_t Words>
std::size_t kmer_table<Words>::place_of(code kmer) const {
  return hash_of_kmer<Words>(kmer) & mask_;
}

template <std::size_t Words>
auto kmer_table<Words>::find_from(std::size_t place, code kmer) const -> slot& {
  while (slots()[place].count != 0 && !is_same<Words>(slots()[place].kmer, kmer))
    place = (place + 1) & mask_;
  return slots()[place];
}

template <std::size_t Words>
void kmer_table<Words>::grow() {
  const std::size_t old_capacity = capacity();
  pages_.grow(2 * old_capacity * sizeof(slot));
  mask_ = 2 * old_capacity - 1;
  const auto is_empty = [this](std::size_t place) { return slots()[place].count == 0; };
  move_records(old_capacity, is_empty, [&](std::size_t place) {
    const slot moved = std::exchange(slots()[place], slot{});
    const code kmer = moved.kmer;
    find_from(place_of(kmer), kmer) = moved;
  });
}

template <std::size_t Words>
void kmer_table<Words>::add(std::span<const code> kmers) {
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
      s.count += s.count != largest_kmer_count ? 1 : 0;
    }
    kmers = kmers.subspan(n);
  }
}

template <std::size_t Words>
void kmer_table<Words>::find(std::span<const code> kmers, std::span<std::int64_t> counts) const {
  for (std::size_t i = 0; i < kmers.size(); ++i) {
    counts[i] = find_from(place_of(kmers[i]), kmers[i]).count;
  }
}

template <std::size_t Words>
template <typename Visit>
void kmer_table<Words>::for_each(std::uint64_t min_count, const Visit& visit) const {
  for (const slot& s : std::span<const slot>(slots(), capacity())) {
    if (s.count != 0 && s.count >= min_count) visit(s);
  }
}

template <std::size_t Words>
std::map<std::uint64_t, std::uint64_t> kmer_table<Words>::spectrum() const {
  std::vector<std::uint64_t> low(1 << 12);  // for most, a map would be slow
  std::map<std::uint64_t, std::uint64_t> result;
  for_each(1, [&](const slot& s) { ++(s.count < low.size() ? low[s.count] : result[s.count]); });
  for (std::size_t count = 1; count < low.size(); ++count) {
    if (low[count] != 0) result[count] = low[count];
  }
  return result;
}

// The digit of a k-mer that has the highest bit of all k-mers, `all_bits`, as its highest bit.
template <std::size_t Words>
class kmer_table<Words>::highest_digit {
 public:
  explicit highest_digit(const code& all_bits) {
    while (word_ + 1 < Words && word_of<Words>(all_bits, word_) == 0) ++word_;
    width_ = static_cast<int>(std::bit_width(word_of<Words>(all_bits, word_)));
    shift_ = std::max(0, width_ - digit_bits);
  }
  // Returns a number below 1 << digit_bits, in the order of the k-mers.
  std::size_t operator()(code kmer) const {
    if constexpr (Words == 1) {
      return kmer >> shift_;
    } else {
      if (width_ >= digit_bits) return kmer[word_] >> shift_;
      const int missing = digit_bits - width_;
      if (word_ + 1 == Words) return kmer[word_];
      return kmer[word_] << missing | kmer[word_ + 1] >> (64 - missing);
    }
  }

 private:
  std::size_t word_ = 0;
  int width_;  // of the highest word that is not zero
  int shift_;
};

// The k-mers are sorted by the highest digit during the copy, and then each group with the same
// digit, which is small, by comparison.
template <std::size_t Words>
void kmer_table<Words>::copy(std::uint64_t min_count, std::span<code> kmers,
                             std::span<std::int64_t> counts) const {
  code all_bits{};
  for_each(min_count, [&](const slot& s) {
    const code kmer = s.kmer;
    for (std::size_t i = 0; i < Words; ++i) {
      word_of<Words>(all_bits, i) |= word_of<Words>(kmer, i);
    }
  });
  const highest_digit digit_of(all_bits);
  std::vector<std::size_t> ends(1 << digit_bits);
  for_each(min_count, [&](const slot& s) { ++ends[digit_of(s.kmer)]; });
  std::size_t first = 0;
  for (std::size_t& place : ends) first += std::exchange(place, first);
  for_each(min_count, [&](const slot& s) {
    const code kmer = s.kmer;
    const std::size_t place = ends[digit_of(kmer)]++;
    kmers[place] = kmer;
    counts[place] = s.count;
  });
  std::vector<std::pair<code, std::int64_t>> group;
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    group.clear();
    for (std::size_t i = begin; i < end; ++i) group.emplace_back(kmers[i], counts[i]);
    std::sort(group.begin(), group.end(),
              [](const auto& a, const auto& b) { return is_before<Words>(a.first, b.first); });
    for (const auto& [kmer, count] : group) {
      kmers[begin] = kmer;
      counts[begin++] = count;
    }
  }
}

template class kmer_table<1>;
template class kmer_table<2>;
template class kmer_table<3>;
template class kmer_table<4>;

}  // namespace boxcar::python
