#include "key_index.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include <boxcar/error.hpp>

#include "hash.hpp"
#include "key_words.hpp"

namespace boxcar::python {
namespace {

constexpr std::size_t batch = 32;
constexpr std::size_t first_slots = 256;

// Keys as words: the word is the key.
template <typename T>
struct number_keys {
  std::span<const T> keys;

  [[nodiscard]] std::uint64_t hash(std::size_t i) const {
    return hash_of_word(word_of_key(keys[i]));
  }
  [[nodiscard]] std::uint64_t word(std::size_t i, std::uint64_t /*hash*/) const {
    return word_of_key(keys[i]);
  }
  [[nodiscard]] static bool is_same(std::size_t /*i*/, const std::byte* /*known*/) { return true; }
  static constexpr std::size_t bytes = 0;  // to be kept of a key
  [[nodiscard]] static const std::byte* row(std::size_t /*i*/) { return nullptr; }
};

// Keys as rows of bytes, whose hash takes the place of the word. Zeros at the end of a row do not
// change its hash, so that a text belongs to the same PE whatever the width of its array.
struct row_keys {
  const std::byte* rows;
  std::size_t bytes;

  [[nodiscard]] const std::byte* row(std::size_t i) const { return rows + i * bytes; }
  [[nodiscard]] std::uint64_t hash(std::size_t i) const {
    return hash_of_bytes(row(i), used_bytes(row(i), bytes));
  }
  [[nodiscard]] static std::uint64_t word(std::size_t /*i*/, std::uint64_t hash) { return hash; }
  [[nodiscard]] bool is_same(std::size_t i, const std::byte* known) const {
    return std::memcmp(row(i), known, bytes) == 0;
  }
};

template <typename Use>
void with_keys(std::string_view type, const read_bytes& keys, std::size_t row_bytes,
               const Use& use) {
  if (type.empty()) {
    return use(row_keys{reinterpret_cast<const std::byte*>(keys.data()), row_bytes});
  }
  with_real_type(type, [&]<typename T>(T) { use(number_keys<T>{elements_of<T>(keys)}); });
}

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

void key_index::grow() {
  std::vector<slot> old(2 * slots_.size());
  old.swap(slots_);
  mask_ = slots_.size() - 1;
  for (const slot& s : old) {
    if (s.id == none) continue;
    std::size_t place = (type_.empty() ? s.word : hash_of_word(s.word)) & mask_;
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
          !keys.is_same(i, rows_.data() + slots_[place].id * keys.bytes))) {
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
    if (keys.bytes != 0) rows_.insert(rows_.end(), keys.row(i), keys.row(i) + keys.bytes);
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
  with_keys(type_, keys, row_bytes_, [&](const auto& all) { add_keys(all, ids); });
  added_ += ids.size();
}

void key_index::find(const read_bytes& keys, std::span<std::uint32_t> ids) const {
  with_keys(type_, keys, row_bytes_, [&](const auto& all) { find_keys(all, ids); });
}

void spread_keys(std::string_view type, const read_bytes& keys, std::size_t row_bytes,
                 std::uint64_t pes, std::span<std::int32_t> to) {
  with_keys(type, keys, row_bytes, [&](const auto& all) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = pe_of_hash(all.hash(i), pes);
  });
}

}  // namespace boxcar::python
