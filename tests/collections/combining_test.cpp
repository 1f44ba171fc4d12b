// Tests of the table that combines updates, before functions that send.
#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <boxcar/combining.hpp>
#include <boxcar/stream.hpp>

#include "support/dice.hpp"
#include "support/run_on.hpp"

namespace boxcar::test::combining_test {
namespace {

// No update is lost, and each update leaves once.
template <typename K, typename Update, typename Combine>
void expect_same_results(const std::vector<K>& keys, const std::vector<Update>& updates,
                         Combine combine, std::size_t bytes) {
  std::map<K, Update> arrived;
  std::map<K, Update> model;
  const auto merge = [&](std::map<K, Update>& into, const K& key, const Update& update) {
    const auto [at, is_new] = into.try_emplace(key, update);
    if (!is_new) at->second = static_cast<Update>(combine(at->second, update));
  };
  const auto send = [&](const K& key, const Update& update) { merge(arrived, key, update); };
  combining<K, Update, decltype(send), Combine> table(send, combine, bytes);
  EXPECT_TRUE(table.empty());
  dice d(program_seed(bytes));
  for (int i = 0; i != 20000; ++i) {
    const K& key =
        keys[static_cast<std::size_t>(d.below(1 + d.below(static_cast<int>(keys.size()))))];
    const Update& update = d.pick(std::span(updates));
    table(key, update);
    merge(model, key, update);
    if (i == 7000) table.flush();
  }
  table.flush();
  EXPECT_TRUE(table.empty());
  EXPECT_EQ(arrived, model);
}

TEST(combining_of, sums_and_maxima) {
  std::vector<int> keys;
  for (int i = 0; i != 500; ++i) keys.push_back(i * 31);
  const std::vector<std::int64_t> updates{1, 2, 30, -4};
  for (const std::size_t bytes : {1UL, 100UL, 3000UL, 1000000UL}) {
    expect_same_results(keys, updates, std::plus<>(), bytes);
    expect_same_results(
        keys, updates, [](std::int64_t a, std::int64_t b) { return std::max(a, b); }, bytes);
  }
}

// The sum of two short numbers is an int.
TEST(combining_of, numbers_that_become_wider) {
  const std::vector<short> updates{1, 2, 3};
  expect_same_results(
      std::vector<int>{1, 2, 3, 4, 5, 6}, updates, [](short a, short b) { return (a + b) % 1000; },
      64);
}

TEST(combining_of, texts) {
  const std::vector<std::string> keys{"one", "two", "a much longer key that needs memory", ""};
  const std::vector<std::uint64_t> updates{1, 5};
  expect_same_results(keys, updates, std::plus<>(), 64);
}

TEST(combining_of, frequent_keys_that_stay) {
  std::uint64_t sent = 0;
  const auto send = [&](int, int) { ++sent; };
  combining<int, int, decltype(send)> table(send, {}, 4096);
  dice d(program_seed(3));
  constexpr int updates = 100000;
  // Half of the updates are for ten keys; the other keys are hardly ever repeated.
  for (int i = 0; i != updates; ++i) table(d.chance(50) ? d.below(10) : 10 + d.below(1000000), 1);
  EXPECT_LE(sent, 53U * updates / 100);
}

// `send` may call the object again.
TEST(combining_of, updates_that_lead_to_updates) {
  struct forward;
  using table_type = combining<int, int, forward>;
  struct forward {
    std::optional<table_type>* table;
    std::uint64_t* arrived;
    void operator()(int key, int n) const {
      *arrived += static_cast<std::uint64_t>(n);
      if (key < 1000) (**table)(key + 1000, n);
    }
  };
  std::optional<table_type> table;
  std::uint64_t arrived = 0;
  table.emplace(forward{&table, &arrived}, std::plus<>(), 200);
  for (int i = 0; i != 1000; ++i) (*table)(i % 100, 1);
  table->flush();
  EXPECT_TRUE(table->empty());
  EXPECT_EQ(arrived, 2000U);
}

TEST(combining_of, items_of_a_stream) {
  struct update {
    int key;
    int n;
  };
  run_on({substrate_kind::threads, 2, 1}, [&](world& w) {
    std::int64_t here = 0;
    stream<update> s(w, [&](const update& u) { here += u.n; });
    const auto send = [&](int key, int n) { s.send({key, n}, key % w.size()); };
    combining<int, int, decltype(send)> add(send);
    const session scope = s.begin();
    for (int i = 0; i != 10000; ++i) add(i % 100, 1);
    add.flush();
    s.finish();
    EXPECT_EQ(w.reduce(here), 20000);
    EXPECT_EQ(s.session_statistics().sent, 100U);
  });
}

}  // namespace
}  // namespace boxcar::test::combining_test
