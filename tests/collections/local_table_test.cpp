// Tests of the local table of distributed containers against std::map: random operations on keys
// and values of several types, with good hashes and bad hashes.
#include <algorithm>
#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/detail/hash_salt.hpp>
#include <boxcar/detail/local_table.hpp>
#include <boxcar/error.hpp>

#include "support/dice.hpp"

namespace boxcar::test::local_table_test {
namespace {

using detail::local_table;

// A hash for all keys, or for many keys.
template <std::uint64_t distinct>
struct bad_hash {
  std::uint64_t operator()(std::uint64_t key) const { return mix_bits(key % distinct); }
};
// A key that counts how often keys are compared.
struct counted_key {
  std::uint64_t number;

  bool operator==(const counted_key& other) const {
    ++comparisons;
    return number == other.number;
  }
  static inline std::uint64_t comparisons = 0;
};
struct counted_hash {
  std::uint64_t operator()(const counted_key& key) const { return mix_bits(key.number); }
};
struct largest_hash {
  std::uint64_t operator()(std::uint64_t) const { return ~std::uint64_t{0}; }
};

template <typename T>
struct maker;
template <>
struct maker<std::uint64_t> {
  static std::uint64_t make(std::uint64_t n) { return n; }
};
template <>
struct maker<std::string> {
  static std::string make(std::uint64_t n) { return std::string(n % 40, 'x') + std::to_string(n); }
};
template <>
struct maker<std::unique_ptr<std::uint64_t>> {
  static std::unique_ptr<std::uint64_t> make(std::uint64_t n) {
    return std::make_unique<std::uint64_t>(n);
  }
};
struct large_value {
  std::array<std::uint64_t, 50> content;
  bool operator==(const large_value&) const = default;
};
template <>
struct maker<large_value> {
  static large_value make(std::uint64_t n) {
    large_value v;
    v.content.fill(n);
    return v;
  }
};

template <typename T>
bool is_same(const T& a, const T& b) {
  return a == b;
}
bool is_same(const std::unique_ptr<std::uint64_t>& a, const std::unique_ptr<std::uint64_t>& b) {
  return *a == *b;
}

// A table and its model.
template <typename K, typename V, typename Hash = key_hash<K>>
class compared_table {
 public:
  using table = local_table<K, V, Hash>;

  void insert(std::uint64_t n, std::uint64_t value) {
    const K key = maker<K>::make(n);
    bool is_new = false;
    auto& entry = table_.find_or_insert(key, table::hash_of(key), [&] {
      is_new = true;
      return typename table::entry_type{key, maker<V>::make(value)};
    });
    ASSERT_EQ(entry.key, key);
    ASSERT_EQ(is_new, model_.try_emplace(n, value).second);
    ASSERT_TRUE(is_same(entry.value, maker<V>::make(model_.at(n))));
    ASSERT_EQ(table_.size(), model_.size());
  }
  void erase(std::uint64_t n) {
    const K key = maker<K>::make(n);
    ASSERT_EQ(table_.erase(key, table::hash_of(key)), model_.erase(n) != 0);
    ASSERT_EQ(table_.size(), model_.size());
  }
  void find(std::uint64_t n) {
    const K key = maker<K>::make(n);
    table_.prefetch(table::hash_of(key));
    auto* const entry = table_.find(key, table::hash_of(key));
    const auto found = model_.find(n);
    ASSERT_EQ(entry != nullptr, found != model_.end());
    if (entry == nullptr) return;
    ASSERT_TRUE(is_same(entry->value, maker<V>::make(found->second)));
  }
  void clear() {
    table_.clear();
    model_.clear();
    expect_content();
  }
  // Every key occurs once in an iteration, and can be found.
  void expect_content() {
    std::size_t entries = 0;
    for (auto& entry : table_) {
      auto* const found = table_.find(entry.key, table::hash_of(entry.key));
      ASSERT_EQ(found, &entry);
      ++entries;
    }
    ASSERT_EQ(entries, model_.size());
    for (const auto& [n, value] : model_) find(n);
  }

  table& operator*() { return table_; }
  [[nodiscard]] std::size_t size() const { return model_.size(); }

 private:
  table table_;
  std::map<std::uint64_t, std::uint64_t> model_;
};

// Random operations on `keys` keys; the table grows and shrinks by turns.
template <typename K, typename V, typename Hash = key_hash<K>>
void run_random_program(int keys, int operations) {
  compared_table<K, V, Hash> both;
  dice d(program_seed(static_cast<std::uint64_t>(keys)));
  for (int i = 0; i < operations && !testing::Test::HasFatalFailure(); ++i) {
    const auto key = static_cast<std::uint64_t>(d.below(keys));
    const bool grows = i / (operations / 8 + 1) % 2 == 0;
    const int what = d.below(100);
    if (what < (grows ? 60 : 15)) {
      both.insert(key, d.next());
    } else if (what < (grows ? 70 : 80)) {
      both.erase(key);
    } else {
      both.find(key);
    }
    if (i == operations / 2) both.expect_content();
    if (i == operations / 3) both.clear();
    if (i == operations / 4) (*both).reserve(static_cast<std::size_t>(keys) / 2);
  }
  both.expect_content();
}

TEST(local_table, with_numbers) {
  for (const int keys : {1, 3, 20, 300, 5000})
    run_random_program<std::uint64_t, std::uint64_t>(keys, 20 * keys + 1000);
  run_random_program<std::uint64_t, std::uint64_t>(200000, 600000);
}

TEST(local_table, with_strings) {
  for (const int keys : {3, 300, 20000})
    run_random_program<std::string, std::string>(keys, 10 * keys + 1000);
}

TEST(local_table, with_values_that_can_only_be_moved) {
  run_random_program<std::string, std::unique_ptr<std::uint64_t>>(2000, 20000);
}

TEST(local_table, with_large_values) {
  run_random_program<std::uint64_t, large_value>(3000, 20000);
}

TEST(local_table, with_bad_hashes) {
  run_random_program<std::uint64_t, std::uint64_t, bad_hash<1>>(700, 7000);
  run_random_program<std::uint64_t, std::uint64_t, largest_hash>(700, 7000);
  run_random_program<std::uint64_t, std::uint64_t, bad_hash<10>>(3000, 20000);
  run_random_program<std::uint64_t, std::string, bad_hash<3>>(500, 5000);
}

// More keys of one hash than an area has room for: the segment moves to the heap.
TEST(local_table, with_a_segment_larger_than_its_area) {
  compared_table<std::uint64_t, large_value, bad_hash<2>> both;
  for (std::uint64_t n = 0; n != 1500; ++n) both.insert(n, n);
  both.expect_content();
  for (std::uint64_t n = 0; n != 1500; n += 2) both.erase(n);
  both.expect_content();
}

using counting_table = local_table<counted_key, void, counted_hash>;

// Inserts absent keys. Returns how many comparisons that takes.
std::uint64_t comparisons_of_insertion(counting_table& table,
                                       const std::vector<counted_key>& keys) {
  const std::uint64_t before = counted_key::comparisons;
  for (const counted_key& key : keys) {
    table.find_or_insert(key, table.hash_of(key), [&] { return counting_table::entry_type{key}; });
  }
  return counted_key::comparisons - before;
}

std::vector<counted_key> keys_in_order(const counting_table& table) {
  std::vector<counted_key> keys;
  for (const auto& entry : table) keys.push_back(entry.key);
  return keys;
}

// The order of one table is as good as any other order for another table, and for the same table
// after `clear`.
TEST(local_table, filled_in_the_order_of_another_table) {
  std::vector<counted_key> rising;
  for (std::uint64_t n = 0; n != 300000; ++n) rising.push_back({n});
  counting_table first;
  const std::uint64_t usual = comparisons_of_insertion(first, rising);
  const std::vector<counted_key> in_order = keys_in_order(first);
  counting_table second;
  EXPECT_LT(comparisons_of_insertion(second, in_order), 2 * usual);
  EXPECT_EQ(second.size(), rising.size());
  first.clear();
  EXPECT_LT(comparisons_of_insertion(first, in_order), 2 * usual);
}

// So every run of a simulated machine is the same.
TEST(local_table, has_the_same_order_with_repeatable_salts) {
  const auto order_of_table = [] {
    counting_table table;
    comparisons_of_insertion(table, {{1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}, {9}, {10}});
    std::vector<std::uint64_t> numbers;
    for (const counted_key& key : keys_in_order(table)) numbers.push_back(key.number);
    return numbers;
  };
  std::array<std::vector<std::uint64_t>, 3> orders;
  for (int run = 0; run != 2; ++run) {
    const detail::repeatable_salts salts;
    for (auto& order : orders) {
      const std::vector<std::uint64_t> again = order_of_table();
      EXPECT_TRUE(run == 0 || order == again);
      order = again;
    }
  }
  EXPECT_FALSE(orders[0] == orders[1] && orders[0] == orders[2]);
  EXPECT_NE(detail::next_hash_salt(), detail::next_hash_salt());
}

TEST(local_table, of_keys_alone) {
  local_table<std::uint32_t, void> set;
  for (std::uint32_t round = 0; round != 2; ++round) {
    for (std::uint32_t n = 0; n != 100000; ++n) {
      const std::uint32_t key = n * 7;
      set.find_or_insert(key, set.hash_of(key),
                         [&] { return detail::table_entry<std::uint32_t, void>{key}; });
    }
  }
  EXPECT_EQ(set.size(), 100000U);
  std::uint64_t sum = 0;
  for (const auto& entry : std::as_const(set)) sum += entry.key;
  EXPECT_EQ(sum, 7ULL * 100000 * 99999 / 2);
}

// Heavy use of few keys: erased slots do not fill the table, and the table does not grow.
TEST(local_table, does_not_grow_by_insertion_and_erasure) {
  compared_table<std::uint64_t, std::uint64_t> both;
  for (std::uint64_t n = 0; n != 4000; ++n) both.insert(n, n);
  const std::size_t before = (*both).memory_bytes();
  for (std::uint64_t n = 4000; n != 60000; ++n) {
    both.erase(n - 4000);
    both.insert(n, n);
  }
  EXPECT_LE((*both).memory_bytes(), before + before / 8);
  both.expect_content();
}

template <typename K, typename V>
double worst_share(std::size_t keys) {
  local_table<K, V> table;
  double worst = 0;
  for (std::size_t n = 0; n != keys; ++n) {
    const K key = static_cast<K>(n);
    table.find_or_insert(key, table.hash_of(key), [&] {
      typename local_table<K, V>::entry_type entry{};
      entry.key = key;
      return entry;
    });
    if (n < 1000 || n % 97 != 0) continue;
    const std::size_t needed = table.size() * sizeof(typename local_table<K, V>::entry_type);
    worst =
        std::max(worst, static_cast<double>(table.memory_bytes()) / static_cast<double>(needed));
  }
  return worst;
}

// (Parts of a table are filled differently, as each table has a salt: 1.309 was the most in 100
// tables.)
TEST(local_table, takes_little_memory_at_every_size) {
  EXPECT_LE((worst_share<std::uint64_t, std::uint64_t>(500000)), 1.33);
  EXPECT_LE((worst_share<std::uint64_t, void>(500000)), 1.33);
  EXPECT_LE((worst_share<std::uint64_t, large_value>(20000)), 1.3);
}

TEST(local_table, stays_as_it_is_in_a_loop) {
  using table_type = local_table<std::uint64_t, std::uint64_t>;
  table_type table;
  const auto insert = [&](std::uint64_t key) {
    table.find_or_insert(key, table.hash_of(key), [&] { return table_type::entry_type{key, key}; });
  };
  for (std::uint64_t key = 0; key != 100; ++key) insert(key);
  std::uint64_t visited = 0;
  table.for_each([&](table_type::entry_type& e) {
    ++visited;
    insert(e.key);
    EXPECT_THROW(table.clear(), contract_error);
    EXPECT_THROW(for (std::uint64_t key = 1000; key != 2000; ++key) insert(key), contract_error);
    EXPECT_EQ(e.value, e.key);
    table.erase(e.key, table.hash_of(e.key));
  });
  EXPECT_GE(visited, 100U);
  EXPECT_LT(table.size(), 100U);
  for (std::uint64_t key = 1000; key != 2000; ++key) insert(key);
  EXPECT_EQ(table.size(), 1000U);
}

// A segment that the hash favours, one of sixteen, may grow by one step.
TEST(local_table, has_room_for_reserved_keys) {
  for (int i = 0; i != 20; ++i) {
    local_table<std::uint64_t, std::uint64_t> table;
    table.reserve(100000);
    const std::size_t before = table.memory_bytes();
    for (std::uint64_t key = 0; key != 100000; ++key) {
      table.find_or_insert(key, table.hash_of(key), [&] {
        return detail::table_entry<std::uint64_t, std::uint64_t>{key, key};
      });
    }
    EXPECT_LE(table.memory_bytes(), before + before / 100);
  }
}

}  // namespace
}  // namespace boxcar::test::local_table_test
