// Combining merges updates of the same key at the sender: updates meet in a small table, and one
// update leaves in place of many. Combining is worth the work where few keys get most of the
// updates, as words of a language do. docs/maps.md has an example.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include <boxcar/key_hash.hpp>

namespace boxcar {

// A table of updates before any function that sends. `send(key, update)` is called for each update
// that leaves; `combine(a, b)` merges two updates of one key, and is associative and commutative.
//
//   boxcar::combining<long, long, send_function> add(send);
//   add(key, 1);
//   add.flush();
//
// The keys with the most updates stay in the table, as far as they are known: a key moves towards
// the front of its set of four with each update, and the last key of a full set leaves. Thread
// safety: none. The order of updates is lost. `send` may call the object again.
template <typename K, typename Update, typename Send, typename Combine = std::plus<>>
class combining {
 public:
  static constexpr std::size_t default_bytes = std::size_t{1} << 18;

  // `bytes` bounds the memory of the table.
  explicit combining(Send send, Combine combine = {}, std::size_t bytes = default_bytes)
      : send_(std::move(send)),
        combine_(std::move(combine)),
        sets_(std::max<std::size_t>(std::bit_floor(bytes / sizeof(set)), 1)),
        used_(sets_.size()),
        shift_(63 - static_cast<unsigned>(std::countr_zero(sets_.size()))) {}

  // Takes an update. At most one other update leaves.
  [[gnu::always_inline]] void operator()(const K& key, const Update& update) {
    const std::size_t number = number_of(key);
    auto& entries = sets_[number].entries;
    const std::uint32_t found = way_of(entries, key, used_[number]);
    if (found == ways) return put(number, key, update);
    // The entry changes places with the entry in front of it. (An entry that was written in parts
    // must not be read as a whole: the processor would wait until the parts are in the cache.)
    entry merged{key, static_cast<Update>(combine_(entries[found].update, update))};
    const std::uint32_t before = found - (found != 0 ? 1 : 0);
    entries[found] = std::move(entries[before]);
    entries[before] = std::move(merged);
  }

  // Sends all updates, also the updates that `send` adds meanwhile.
  void flush() {
    while (!empty()) {
      for (std::size_t number = 0; number != sets_.size(); ++number) {
        while (used_[number] != 0) {
          const entry e = std::move(sets_[number].entries[--used_[number]]);
          send_(e.key, e.update);
        }
      }
    }
  }

  [[nodiscard]] bool empty() const {
    return std::ranges::all_of(used_, [](std::uint8_t used) { return used == 0; });
  }
  [[nodiscard]] std::size_t memory_bytes() const { return sets_.size() * (sizeof(set) + 1); }

 private:
  static constexpr std::uint8_t ways = 4;

  struct entry {
    K key;
    Update update;
  };
  static constexpr std::size_t line = 64;
  struct alignas(sizeof(entry) * ways == line ? line : alignof(entry)) set {
    std::array<entry, ways> entries;
  };

  [[nodiscard]] std::size_t number_of(const K& key) const {
    if constexpr (std::integral<K> || std::is_enum_v<K>) {
      // A collision costs no more than an update that leaves: less mixing is enough.
      const auto number = static_cast<std::uint64_t>(key);
      return (((number ^ number >> 32) * detail::golden_step) >> 1) >> shift_;
    } else {
      // The upper half of the hash decides about the owner of the key.
      return (std::rotl(key_hash<K>()(key), 32) >> 1) >> shift_;
    }
  }

  // Returns the way of a key in a set; `ways` if the set does not have the key. Simple keys are
  // compared with all entries: the way of a key cannot be predicted.
  static std::uint32_t way_of(const std::array<entry, ways>& entries, const K& key,
                              std::uint32_t used) {
    if constexpr (std::is_arithmetic_v<K> || std::is_enum_v<K>) {
      std::uint32_t equal = 0;
      for (std::uint32_t i = 0; i != ways; ++i) {
        equal |= static_cast<std::uint32_t>(entries[i].key == key) << i;
      }
      const std::uint32_t found = equal & ((1U << used) - 1);
      return static_cast<std::uint32_t>(std::countr_zero(found | 1U << ways));
    } else {
      for (std::uint32_t i = 0; i != used; ++i) {
        if (entries[i].key == key) return i;
      }
      return ways;
    }
  }

  [[gnu::noinline]] void put(std::size_t number, const K& key, const Update& update) {
    auto& entries = sets_[number].entries;
    std::uint8_t& used = used_[number];
    if (used != ways) {
      entries[used++] = {key, update};
      return;
    }
    const entry last = std::exchange(entries[ways - 1], entry{key, update});
    send_(last.key, last.update);
  }

  Send send_;
  Combine combine_;
  std::vector<set> sets_;           // a power of two
  std::vector<std::uint8_t> used_;  // entries of each set
  unsigned shift_;                  // after a shift by one, to which 64 bits are not too many
};

}  // namespace boxcar
