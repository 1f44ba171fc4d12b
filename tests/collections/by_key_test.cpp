// Tests of the functions by key against std::multimap: groups, reductions and joins of pairs that
// all PEs have, with keys and values of any size.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <boxcar/bag.hpp>
#include <boxcar/by_key.hpp>
#include <boxcar/distributed_map.hpp>
#include <boxcar/error.hpp>

#include "support/by_name.hpp"
#include "support/dice.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::by_key_test {
namespace {

template <typename T>
T make(int n) {
  if constexpr (std::is_same_v<T, std::string>) {
    return std::string(static_cast<std::size_t>(n % 30), 'v') + std::to_string(n);
  } else {
    return static_cast<T>(n);
  }
}

using numbers = std::vector<std::pair<int, int>>;

// The pairs of a PE: `keys` different keys, half of the pairs with one key. PE 0 has no pairs if
// there are other PEs.
numbers pairs_of(const world& w, int keys, int most, int round) {
  dice d(program_seed(static_cast<std::uint64_t>(w.rank() + 100 * round)));
  numbers pairs;
  if (w.rank() == 0 && w.size() > 1) return pairs;
  for (int i = d.below(most); i > 0; --i) {
    pairs.emplace_back(d.chance(50) ? keys / 2 : d.below(keys), d.below(1000));
  }
  return pairs;
}

template <typename K, typename V>
std::vector<std::pair<K, V>> as(const numbers& pairs) {
  std::vector<std::pair<K, V>> result;
  for (const auto& [key, value] : pairs) result.emplace_back(make<K>(key), make<V>(value));
  return result;
}

// Collective. The values of each key on all PEs, in the order of the PEs.
std::map<int, std::vector<int>> groups_of(world& w, const numbers& pairs) {
  std::vector<int> flat;
  for (const auto& [key, value] : pairs) {
    flat.push_back(key);
    flat.push_back(value);
  }
  std::map<int, std::vector<int>> groups;
  for (const std::vector<int>& of_pe : w.all_gather(flat)) {
    for (std::size_t i = 0; i != of_pe.size(); i += 2) {
      groups[of_pe[i]].push_back(of_pe[i + 1]);
    }
  }
  return groups;
}

template <typename K, typename V>
void check_groups(world& w, const numbers& mine) {
  auto expected = groups_of(w, mine);
  auto groups = group_by_key(w, as<K, V>(mine));
  EXPECT_EQ(groups.size(), expected.size());
  for (const auto& [n, values] : expected) {
    const std::vector<V>* const found = groups.local_find(make<K>(n));
    if (groups.owner(make<K>(n)) != w.rank()) {
      EXPECT_EQ(found, nullptr);
      continue;
    }
    ASSERT_NE(found, nullptr);
    std::vector<V> right;
    for (const int value : values) right.push_back(make<V>(value));
    // Values of one PE keep their order; there is an order of the PEs' values for all.
    EXPECT_TRUE(w.size() > 2 || *found == right);
    std::vector<V> in_order = *found;
    std::ranges::sort(in_order);
    std::ranges::sort(right);
    EXPECT_EQ(in_order, right);
  }
}

template <typename K, typename V, typename Op>
void check_reduction(world& w, const numbers& mine, Op op) {
  const auto expected = groups_of(w, mine);
  auto values = reduce_by_key(w, as<K, V>(mine), op);
  EXPECT_EQ(values.size(), expected.size());
  for (const auto& [n, all] : expected) {
    const V* const found = values.local_find(make<K>(n));
    EXPECT_EQ(found != nullptr, values.owner(make<K>(n)) == w.rank());
    if (found == nullptr) continue;
    V right = make<V>(all.front());
    for (std::size_t i = 1; i != all.size(); ++i) right = op(right, make<V>(all[i]));
    EXPECT_EQ(*found, right);
  }
}

template <typename K, typename V, typename W>
void check_join(world& w, const numbers& left, const numbers& right) {
  std::map<std::tuple<K, V, W>, std::int64_t> expected;
  const auto groups = groups_of(w, left);
  for (const auto& [n, values] : groups_of(w, right)) {
    const auto found = groups.find(n);
    if (found == groups.end()) continue;
    for (const int a : found->second) {
      for (const int b : values) ++expected[{make<K>(n), make<V>(a), make<W>(b)}];
    }
  }
  const distributed_map<K> owners(w);
  std::map<std::tuple<K, V, W>, std::int64_t> joined;
  std::uint64_t pairs = 0;
  join_by_key(w, as<K, V>(left), as<K, W>(right), [&](const K& key, const V& a, const W& b) {
    EXPECT_EQ(owners.owner(key), w.rank());
    ++joined[{key, a, b}];
    ++pairs;
  });
  std::uint64_t expected_pairs = 0;
  for (const auto& [triple, count] : expected) {
    expected_pairs += static_cast<std::uint64_t>(count);
    if (owners.owner(std::get<0>(triple)) != w.rank()) continue;
    EXPECT_EQ(joined[triple], count);
  }
  EXPECT_EQ(w.reduce(pairs), expected_pairs);
}

// A value that cannot be made from nothing.
struct given_number {
  explicit given_number(int n) : number(n) {}
  friend given_number operator+(const given_number& a, const given_number& b) {
    return given_number(a.number + b.number);
  }
  friend bool operator==(const given_number&, const given_number&) = default;
  int number;
};

}  // namespace
}  // namespace boxcar::test::by_key_test

template <>
struct boxcar::serializer<boxcar::test::by_key_test::given_number> {
  static void write(byte_writer& out, const test::by_key_test::given_number& n) {
    out.put(n.number);
  }
  static test::by_key_test::given_number read(byte_reader& in) {
    return test::by_key_test::given_number(in.get<int>());
  }
};

namespace boxcar::test::by_key_test {
namespace {

class by_key : public testing::TestWithParam<world_shape> {};

TEST_P(by_key, groups_have_all_values) {
  run_on(GetParam(), [](world& w) {
    check_groups<std::uint64_t, std::uint32_t>(w, pairs_of(w, 200, 400, 0));
    check_groups<std::string, std::string>(w, pairs_of(w, 50, 200, 1));
    check_groups<int, std::string>(w, numbers(20, {7, 3}));  // all keys are equal
    check_groups<int, int>(w, {});
  });
}

TEST_P(by_key, reductions_have_one_value) {
  run_on(GetParam(), [](world& w) {
    check_reduction<std::uint32_t, std::uint64_t>(w, pairs_of(w, 200, 400, 0), std::plus<>());
    check_reduction<std::string, std::int64_t>(w, pairs_of(w, 50, 300, 1), std::plus<>());
    // The default of a value is not neutral.
    const auto least = [](const auto& a, const auto& b) { return std::min(a, b); };
    check_reduction<int, int>(w, pairs_of(w, 100, 300, 2), least);
    check_reduction<int, std::string>(w, pairs_of(w, 30, 100, 3), least);
    check_reduction<int, int>(w, numbers(500, {7, 3}), std::plus<>());
    check_reduction<int, int>(w, {}, std::plus<>());
    check_reduction<std::string, given_number>(w, pairs_of(w, 30, 100, 4), std::plus<>());
  });
}

TEST_P(by_key, joins_have_all_pairs_of_a_key) {
  run_on(GetParam(), [](world& w) {
    const int few = 1 + 100 / w.size();
    check_join<std::uint64_t, std::uint8_t, double>(w, pairs_of(w, 40, few, 0),
                                                    pairs_of(w, 60, few, 1));
    check_join<std::string, std::string, int>(w, pairs_of(w, 30, few, 2), pairs_of(w, 20, few, 3));
    check_join<int, int, int>(w, numbers(5, {7, 3}), numbers(5, {7, 4}));
    check_join<int, int, int>(w, {}, pairs_of(w, 20, 50, 4));
    check_join<int, int, int>(w, pairs_of(w, 20, 50, 4), {});
  });
}

// Pairs come from bags, maps and ranges; the result of one function is the source of another.
TEST_P(by_key, sources_are_bags_maps_and_ranges) {
  run_on(GetParam(), [](world& w) {
    bag<std::pair<std::string, int>> b(w);
    for (int i = 0; i != 10; ++i) b.add({"key" + std::to_string(i % 3), i});
    auto sums = reduce_by_key(w, b);
    EXPECT_EQ(w.reduce(sums.local_find("key0") == nullptr ? 0 : *sums.local_find("key0")),
              18 * w.size());

    const std::map<std::string, double> prices{{"key0", 0.5}, {"key1", 2}};
    std::map<std::string, double> joined;
    join_by_key(w, sums, prices, [&](const std::string& key, const int& sum, const double& price) {
      joined[key] += sum * price;
    });
    double all = 0;
    for (const auto& [key, value] : joined) all += value;
    EXPECT_EQ(w.reduce(all), (18 * 0.5 + 12 * 2) * w.size() * w.size());

    const std::vector<std::tuple<int, char>> tuples{{1, 'a'}, {2, 'b'}};
    EXPECT_EQ(group_by_key(w, tuples).size(), 2U);
  });
}

TEST_P(by_key, operations_that_differ_are_refused) {
  if (GetParam().pes < 2) return;
  run_on(GetParam(), [](world& w) {
    const std::vector<std::pair<int, long>> pairs{{1, 10}, {1, 3}};
    const auto reduce = [&](auto operation) {
      return thrown_by<argument_error>(
          [&] { static_cast<void>(reduce_by_key(w, pairs, operation)); });
    };
    const std::string text = w.rank() == 0 ? reduce(std::plus<>()) : reduce(std::multiplies<>());
    expect_mentions(text, {"disagree", "plus", "multiplies"});
    EXPECT_EQ(reduce_by_key(w, pairs).size(), 1U);
  });
}

INSTANTIATE_TEST_SUITE_P(worlds, by_key, testing::ValuesIn(several_shapes()), by_name{});

}  // namespace
}  // namespace boxcar::test::by_key_test
