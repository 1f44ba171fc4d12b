#include "kmer_table.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <sys/mman.h>
#include <utility>
#include <vector>

#include <boxcar/error.hpp>

#include "hash.hpp"

namespace boxcar::python {
namespace {

constexpr std::size_t batch = 32;
constexpr std::size_t first_slots = 1024;

}  // namespace

void kmer_table::unmap::operator()(slot* slots) const {
  munmap(slots, bytes);
}

// Pages that are zero, as empty slots are, and large ones if there are any: else a slot that is not
// in the cache is not in the table of pages either.
kmer_table::memory kmer_table::slots_for(std::size_t count) {
  const std::size_t bytes = count * sizeof(slot);
  void* const pages =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) {
    throw system_error("no memory for a table of " + std::to_string(count) + " k-mers, " +
                       std::to_string(bytes) + " bytes: use more PEs on more nodes");
  }
  madvise(pages, bytes, MADV_HUGEPAGE);
  return {static_cast<slot*>(pages), unmap{bytes}};
}

kmer_table::kmer_table(std::uint64_t pes)
    : pes_(pes), capacity_(first_slots), slots_(slots_for(capacity_)) {}

std::int32_t kmer_table::pe_of_kmer(std::uint64_t kmer, std::uint64_t pes) {
  return pe_of_hash(hash_of_word(kmer), pes);
}

// What the hash tells beyond the PE, spread over the slots. The order of places is that of hashes,
// whatever the capacity: so a table grows from its beginning to its end, and not here and there.
std::size_t kmer_table::place_of(std::uint64_t kmer) const {
  const std::uint64_t rest = hash_of_word(kmer) * pes_;
  return static_cast<std::size_t>((static_cast<wide>(rest) * capacity_) >> 64);
}

kmer_table::slot& kmer_table::find_from(std::size_t place, std::uint64_t kmer) const {
  while (slots_[place].count != 0 && slots_[place].kmer != kmer) {
    if (++place == capacity_) place = 0;
  }
  return slots_[place];
}

void kmer_table::grow() {
  const std::size_t old_capacity = capacity_;
  capacity_ += capacity_ / 2;
  const memory old = std::exchange(slots_, slots_for(capacity_));
  for (const slot& s : std::span<const slot>(old.get(), old_capacity)) {
    if (s.count != 0) find_from(place_of(s.kmer), s.kmer) = s;
  }
}

void kmer_table::add(std::span<const std::uint64_t> kmers) {
  std::array<std::size_t, batch> places;
  while (!kmers.empty()) {
    const std::size_t n = std::min(batch, kmers.size());
    while (size_ + n > capacity_ / 4 * 3) grow();
    // All places are on their way to the cache before the first is looked at.
    for (std::size_t i = 0; i < n; ++i) {
      places[i] = place_of(kmers[i]);
      __builtin_prefetch(&slots_[places[i]], 1);
    }
    for (std::size_t i = 0; i < n; ++i) {
      slot& s = find_from(places[i], kmers[i]);
      s.kmer = kmers[i];
      size_ += s.count == 0 ? 1 : 0;
      ++s.count;
    }
    kmers = kmers.subspan(n);
  }
}

void kmer_table::find(std::span<const std::uint64_t> kmers,
                      std::span<std::uint64_t> counts) const {
  for (std::size_t i = 0; i < kmers.size(); ++i) {
    counts[i] = find_from(place_of(kmers[i]), kmers[i]).count;
  }
}

std::map<std::uint64_t, std::uint64_t> kmer_table::spectrum() const {
  std::vector<std::uint64_t> low(1 << 12);
  std::map<std::uint64_t, std::uint64_t> result;
  for (const slot& s : all()) {
    if (s.count < low.size()) {
      ++low[s.count];
    } else {
      ++result[s.count];
    }
  }
  for (std::size_t count = 1; count < low.size(); ++count) {
    if (low[count] != 0) result[count] = low[count];
  }
  return result;
}

void kmer_table::copy(std::uint64_t min_count, std::span<std::uint64_t> kmers,
                      std::span<std::uint64_t> counts) const {
  std::size_t n = 0;
  for (const slot& s : all()) {
    if (s.count < min_count || s.count == 0) continue;
    kmers[n] = s.kmer;
    counts[n++] = s.count;
  }
}

}  // namespace boxcar::python
