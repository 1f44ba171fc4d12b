#include "key_index.hpp"

#include <algorithm>
#include <array>

#include <boxcar/error.hpp>

#include "hashed_keys.hpp"

namespace boxcar::python {
namespace {

constexpr std::size_t batch = 32;
constexpr std::size_t first_slots = 256;

// All places of a batch are prefetched before the first place is read.
template <typename Keys, typename Fetch, typename Visit>
void in_batches(const Keys& keys, std::size_t count, const Fetch& fetch, const Visit& visit) {
  std::array<std::uint64_t, batch> hashes;
  for (std::size_t first = 0; first < count; first += batch) {
    const std::size_t n = std::min(batch, count - first);
    for (std::size_t k = 0; k < n; ++k) {
      hashes[k] = keys.hash(first + k);
      fetch(hashes[k]);
    }
    for (std::size_t k = 0; k < n; ++k) visit(first + k, hashes[k]);
  }
}

}  // namespace

key_index::key_index(std::string_view type, std::size_t row_bytes)
    : type_(type), row_bytes_(row_bytes), mask_(first_slots - 1), slots_(first_slots) {}

std::size_t key_index::home_of(const slot& s) const {
  return (type_.empty() ? s.word : hash_of_word(s.word, salt_)) & mask_;
}

void key_index::grow() {
  std::vector<slot> old(2 * slots_.size());
  old.swap(slots_);
  mask_ = slots_.size() - 1;
  for (const slot& s : old) {
    if (s.id == none) continue;
    std::size_t place = home_of(s);
    while (slots_[place].id != none) place = (place + 1) & mask_;
    slots_[place] = s;
  }
}

template <typename Keys>
std::size_t key_index::place_of(const Keys& keys, std::size_t i, std::uint64_t hash) const {
  const std::uint64_t word = keys.word(i, hash);
  std::size_t place = hash & mask_;
  while (slots_[place].id != none &&
         (slots_[place].word != word ||
          !keys.is_same(i, rows_.data() + slots_[place].id * keys.kept_bytes))) {
    place = (place + 1) & mask_;
  }
  return place;
}

template <typename Keys>
void key_index::add_keys(const Keys& keys, std::span<std::uint32_t> ids) {
  const auto fetch = [this](std::uint64_t hash) { __builtin_prefetch(&slots_[hash & mask_], 1); };
  in_batches(keys, ids.size(), fetch, [&](std::size_t i, std::uint64_t hash) {
    slot& found = slots_[place_of(keys, i, hash)];
    if (found.id != none) [[likely]] {
      ids[i] = found.id;
      return;
    }
    found = {keys.word(i, hash), static_cast<std::uint32_t>(size_++)};
    ids[i] = found.id;
    firsts_.push_back(added_ + i);
    if (keys.kept_bytes != 0) {
      rows_.insert(rows_.end(), keys.row(i), keys.row(i) + keys.kept_bytes);
    }
    if (2 * size_ > slots_.size()) grow();
  });
}

template <typename Keys>
void key_index::find_keys(const Keys& keys, std::span<std::uint32_t> ids) const {
  const auto fetch = [this](std::uint64_t hash) { __builtin_prefetch(&slots_[hash & mask_]); };
  in_batches(keys, ids.size(), fetch, [&](std::size_t i, std::uint64_t hash) {
    ids[i] = slots_[place_of(keys, i, hash)].id;
  });
}

void key_index::add(const read_bytes& keys, std::span<std::uint32_t> ids) {
  if (added_ + ids.size() >= none) {
    throw argument_error("this PE has " + std::to_string(added_ + ids.size()) +
                         " keys to group, and cannot group more than " + std::to_string(none - 1) +
                         ": use more PEs, or group parts of them one after another");
  }
  with_keys(type_, keys, row_bytes_, salt_, [&](const auto& all) { add_keys(all, ids); });
  added_ += ids.size();
}

void key_index::find(const read_bytes& keys, std::span<std::uint32_t> ids) const {
  with_keys(type_, keys, row_bytes_, salt_, [&](const auto& all) { find_keys(all, ids); });
}

std::size_t key_index::probes() const {
  std::size_t read = 0;
  for (std::size_t place = 0; place <= mask_; ++place) {
    const slot& s = slots_[place];
    if (s.id != none) read += ((place - home_of(s)) & mask_) + 1;
  }
  return read;
}

void spread_keys(std::string_view type, const read_bytes& keys, std::size_t row_bytes,
                 std::uint64_t pes, std::span<std::int32_t> to) {
  with_keys(type, keys, row_bytes, 0, [&](const auto& all) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = pe_of_hash(all.hash(i), pes);
  });
}

void hash_keys(std::string_view type, const read_bytes& keys, std::size_t row_bytes,
               std::span<std::uint64_t> hashes) {
  with_keys(type, keys, row_bytes, 0, [&](const auto& all) {
    for (std::size_t i = 0; i < hashes.size(); ++i) hashes[i] = all.hash(i);
  });
}

}  // namespace boxcar::python
