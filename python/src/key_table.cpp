#include "key_table.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "hash.hpp"
#include "key_words.hpp"
#include "table_growth.hpp"

namespace boxcar::python {
namespace {

constexpr std::size_t word_bytes = sizeof(std::uint64_t);
constexpr std::size_t probes_at_once = 32;
constexpr std::size_t first_records = 256;

std::size_t rounded_up(std::size_t bytes) {
  return (bytes + word_bytes - 1) / word_bytes * word_bytes;
}

}  // namespace

key_table::key_table(kind k, std::size_t value_bytes)
    : kind_(k),
      value_bytes_(value_bytes),
      value_offset_(k == kind::rows ? 2 * word_bytes : word_bytes),
      record_bytes_(value_offset_ + rounded_up(value_bytes)),
      mask_(first_records - 1),
      zero_(record_bytes_ / word_bytes),
      pages_(first_records * record_bytes_) {}

std::uint64_t key_table::word_of(const std::byte* record) {
  std::uint64_t word;
  std::memcpy(&word, record, sizeof word);
  return word;
}

std::span<const std::byte> key_table::row_of(const std::byte* record) const {
  return rows_.row(word_of(record + word_bytes));
}

std::size_t key_table::place_of(std::uint64_t word) const {
  return (kind_ == kind::rows ? word : hash_of_word(word, salt_)) & mask_;
}

template <key_table::kind K>
key_table::probe key_table::probe_of(const std::byte* key, std::size_t bytes) const {
  if constexpr (K == kind::words) {
    const std::uint64_t word = word_of(key);
    return {word, hash_of_word(word, salt_) & mask_, {}};
  } else {
    const std::span<const std::byte> row(key, used_bytes(key, bytes));
    const std::uint64_t hash = std::max<std::uint64_t>(hash_of_bytes(key, row.size(), salt_), 1);
    return {hash, hash & mask_, row};
  }
}

template <key_table::kind K>
std::byte* key_table::search(const probe& p) const {
  std::byte* const records = pages_.data();
  for (std::size_t place = p.place;; place = (place + 1) & mask_) {
    std::byte* const found = records + place * record_bytes_;
    const std::uint64_t word = word_of(found);
    if (word == 0) return found;
    if (word != p.word) continue;
    if (K == kind::words || std::ranges::equal(row_of(found), p.row)) return found;
  }
}

template <key_table::kind K, typename Use>
void key_table::for_each_key_of(const packed_keys& keys, const Use& use) const {
  std::array<probe, probes_at_once> probes;
  for (std::size_t first = 0; first < keys.count; first += probes_at_once) {
    const std::size_t n = std::min(probes_at_once, keys.count - first);
    for (std::size_t i = 0; i < n; ++i) {
      probes[i] = probe_of<K>(keys.at(first + i), keys.bytes);
      __builtin_prefetch(record(probes[i].place), 1);
    }
    for (std::size_t i = 0; i < n; ++i) {
      const probe& p = probes[i];
      if (K == kind::words && p.word == 0) [[unlikely]] {
        use(first + i, p, record_of_zero(), has_zero_);
      } else {
        std::byte* const found = search<K>(p);
        use(first + i, p, found, word_of(found) != 0);
      }
    }
  }
}

template <typename Use>
void key_table::for_each_key(const packed_keys& keys, const Use& use) const {
  if (kind_ == kind::words) return for_each_key_of<kind::words>(keys, use);
  for_each_key_of<kind::rows>(keys, use);
}

void key_table::find(const packed_keys& keys, std::span<std::byte*> values) const {
  for_each_key(keys, [&](std::size_t i, const probe&, std::byte* found, bool has_key) {
    values[i] = has_key ? found + value_offset_ : nullptr;
  });
}

void key_table::insert(const packed_keys& keys, std::span<std::byte*> values,
                       std::span<bool> is_new) {
  while (size_ + keys.count > (mask_ + 1) / 4 * 3) grow();
  for_each_key(keys, [&](std::size_t i, const probe& p, std::byte* found, bool has_key) {
    values[i] = found + value_offset_;
    is_new[i] = !has_key;
    if (has_key) return;
    ++size_;
    write_key(found, p);
  });
}

void key_table::write_key(std::byte* record, const probe& p) {
  if (p.word == 0) has_zero_ = true;
  std::memcpy(record, &p.word, sizeof p.word);
  if (kind_ == kind::words) return;
  const std::uint64_t offset = rows_.add(p.row);
  std::memcpy(record + word_bytes, &offset, sizeof offset);
}

std::size_t key_table::erase(const packed_keys& keys) {
  const std::size_t before = size_;
  for_each_key(keys, [&](std::size_t, const probe& p, std::byte* found, bool has_key) {
    if (!has_key) return;
    --size_;
    if (p.word == 0) {
      std::ranges::fill(zero_, 0);
      has_zero_ = false;
      return;
    }
    if (kind_ == kind::rows) rows_.drop(word_of(found + word_bytes));
    close_gap(static_cast<std::size_t>(found - pages_.data()) / record_bytes_);
  });
  if (rows_.is_mostly_dead()) copy_living_rows();
  return before - size_;
}

// Later records of the same run move up, unless they would be in front of where their search
// begins: so a search never meets a gap.
void key_table::close_gap(std::size_t hole) {
  for (std::size_t next = (hole + 1) & mask_; word_of(record(next)) != 0;
       next = (next + 1) & mask_) {
    const std::size_t home = place_of(word_of(record(next)));
    if (((next - home) & mask_) < ((next - hole) & mask_)) continue;
    std::memcpy(record(hole), record(next), record_bytes_);
    hole = next;
  }
  std::memset(record(hole), 0, record_bytes_);
}

void key_table::grow() {
  const std::size_t old_records = mask_ + 1;
  pages_.grow(2 * old_records * record_bytes_);
  mask_ = 2 * old_records - 1;
  std::vector<std::byte> moved(record_bytes_);
  const auto is_empty = [this](std::size_t place) { return word_of(record(place)) == 0; };
  move_records(old_records, is_empty, [&](std::size_t old) {
    std::memcpy(moved.data(), record(old), record_bytes_);
    std::memset(record(old), 0, record_bytes_);
    std::size_t place = place_of(word_of(moved.data()));
    while (!is_empty(place)) place = (place + 1) & mask_;
    std::memcpy(record(place), moved.data(), record_bytes_);
  });
}

void key_table::copy_living_rows() {
  row_heap living;
  for_each([&](std::byte* r) {
    const std::uint64_t offset = living.add(row_of(r));
    std::memcpy(r + word_bytes, &offset, sizeof offset);
  });
  rows_ = std::move(living);
}

void key_table::clear() {
  *this = key_table(kind_, value_bytes_);
}

template <typename Use>
void key_table::for_each(const Use& use) const {
  if (has_zero_) use(record_of_zero());
  for (std::size_t place = 0; place <= mask_; ++place) {
    if (word_of(record(place)) != 0) use(record(place));
  }
}

std::size_t key_table::longest_row() const {
  std::size_t longest = 0;
  if (kind_ == kind::words) return longest;
  for_each([&](const std::byte* r) { longest = std::max(longest, row_of(r).size()); });
  return longest;
}

std::size_t key_table::probes() const {
  std::size_t read = 0;
  for_each([&](const std::byte* r) {
    if (word_of(r) == 0) return;
    const auto place = static_cast<std::size_t>(r - pages_.data()) / record_bytes_;
    read += ((place - place_of(word_of(r))) & mask_) + 1;
  });
  return read;
}

void key_table::copy(std::byte* keys, std::size_t key_bytes, std::byte* values) const {
  for_each([&](const std::byte* r) {
    if (kind_ == kind::words) {
      std::memcpy(keys, r, word_bytes);
    } else {
      const std::span<const std::byte> row = row_of(r);
      if (!row.empty()) std::memcpy(keys, row.data(), row.size());
      std::memset(keys + row.size(), 0, key_bytes - row.size());
    }
    std::memcpy(values, r + value_offset_, value_bytes_);
    keys += key_bytes;
    values += value_bytes_;
  });
}

}  // namespace boxcar::python
