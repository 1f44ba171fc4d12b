// Tests of distributed maps against std::map: the operations of all PEs on shared keys commute, and
// the operations of one PE on its own keys keep their order.
#include <algorithm>
#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/distributed_map.hpp>
#include <boxcar/run.hpp>

#include "collections/map_setup.hpp"
#include "support/by_name.hpp"
#include "support/dice.hpp"
#include "support/run_on.hpp"

namespace boxcar::test::distributed_map_test {
namespace {

class distributed_map_of : public testing::TestWithParam<map_setup> {};

// Numbers, or texts of some length.
template <typename T>
T make(std::uint64_t n) {
  if constexpr (std::is_same_v<T, std::string>) {
    return std::string(n % 50, 'k') + std::to_string(n);
  } else {
    return static_cast<T>(n);
  }
}

std::uint64_t seed_of(const world& w, std::uint64_t number) {
  return program_seed(number * 1000 + static_cast<std::uint64_t>(w.rank()));
}

// All PEs add to shared keys.
template <typename K>
void count_on_all_pes(const map_setup& setup) {
  run_on(setup.shape, [&](world& w) {
    distributed_map<K, std::int64_t> map(w, setup.options());
    const auto add = map.visitor([](const K&, std::int64_t& value, std::int64_t n) { value += n; });
    std::vector<std::int64_t> model(300);
    for (int round = 0; round != 3; ++round) {
      const session scope = map.begin(setup.one_producer_each());
      dice d(seed_of(w, static_cast<std::uint64_t>(round)));
      // In one round PE 0 sends nothing, in another round all keys are one key.
      const int count = round == 1 && w.rank() == 0 ? 0 : d.below(1000);
      for (int i = 0; i < count; ++i) {
        const int key = round == 2 ? 7 : d.below(300);
        const std::int64_t n = d.below(100);
        map.tell(make<K>(static_cast<std::uint64_t>(key)), add, n);
        model[static_cast<std::size_t>(key)] += n;
      }
      setup.finish(map);
    }
    const std::vector<std::int64_t> sums = w.reduce(model);
    std::int64_t here = 0;
    for (auto [key, value] : map.local()) {
      EXPECT_EQ(map.owner(key), w.rank());
      here += value;
    }
    std::int64_t all = 0;
    for (const std::int64_t sum : sums) all += sum;
    EXPECT_EQ(w.reduce(here), all);
    for (std::uint64_t key = 0; key != sums.size(); ++key) {
      const std::int64_t* const value = map.local_find(make<K>(key));
      if (map.owner(make<K>(key)) != w.rank()) {
        EXPECT_EQ(value, nullptr);
      } else if (value != nullptr) {
        EXPECT_EQ(*value, sums[key]);
      } else {
        EXPECT_EQ(sums[key], 0);
      }
    }
  });
}

TEST_P(distributed_map_of, sums_of_all_pes) {
  count_on_all_pes<std::uint64_t>(GetParam());
}

TEST_P(distributed_map_of, sums_for_texts) {
  count_on_all_pes<std::string>(GetParam());
}

// A PE changes its own keys in every way, and finds what it expects.
template <typename K, typename V>
void run_ordered_program(const map_setup& setup) {
  run_on(setup.shape, [&](world& w) {
    distributed_map<K, V> map(w, setup.options());
    const auto append = map.visitor([](const K&, V& value, const V& more) { value += more; });
    const auto append_if_there =
        map.visitor([](const K&, V& value, const V& more) { value += more; }, absent::skip);
    std::map<std::uint64_t, V> model;
    constexpr int keys = 40;
    const auto key_of = [&](int i) { return static_cast<std::uint64_t>(i * w.size() + w.rank()); };
    for (int round = 0; round != 2; ++round) {
      const session scope = map.begin(setup.one_producer_each());
      dice d(seed_of(w, static_cast<std::uint64_t>(10 + round)));
      for (int i = 0; i != 600; ++i) {
        const std::uint64_t n = key_of(d.below(keys));
        const K key = make<K>(n);
        const V value = make<V>(static_cast<std::uint64_t>(d.below(1000)));
        switch (d.below(5)) {
          case 0:
            map.insert(key, value);
            model.try_emplace(n, value);
            break;
          case 1:
            map.assign(key, value);
            model[n] = value;
            break;
          case 2:
            map.erase(key);
            model.erase(n);
            break;
          case 3:
            map.tell(key, append, value);
            model[n] += value;
            break;
          default:
            map.tell(key, append_if_there, value);
            if (model.contains(n)) model[n] += value;
        }
      }
      setup.finish(map);
      std::vector<K> asked;
      for (int i = 0; i != keys; ++i) asked.push_back(make<K>(key_of(i)));
      const std::vector<std::optional<V>> found = map.get(asked);
      for (int i = 0; i != keys; ++i) {
        const auto at = model.find(key_of(i));
        const std::optional<V>& its = found[static_cast<std::size_t>(i)];
        ASSERT_EQ(its.has_value(), at != model.end());
        if (!its) continue;
        ASSERT_EQ(*its, at->second);
      }
      EXPECT_EQ(map.size(), w.reduce(std::uint64_t{model.size()}));
    }
  });
}

TEST_P(distributed_map_of, operations_in_order) {
  run_ordered_program<std::uint32_t, std::uint64_t>(GetParam());
}

TEST_P(distributed_map_of, texts_in_order) {
  run_ordered_program<std::string, std::string>(GetParam());
}

TEST_P(distributed_map_of, keys_alone) {
  const map_setup& setup = GetParam();
  run_on(setup.shape, [&](world& w) {
    distributed_map<std::pair<int, int>> set(w, setup.options());
    const session scope = set.begin(setup.one_producer_each());
    for (int i = 0; i != 200; ++i) set.insert({i, i / 2});
    for (int i = 0; i != 100; ++i) set.insert({-w.rank(), i});
    setup.finish(set);
    const auto pes = static_cast<std::uint64_t>(w.size());
    EXPECT_EQ(set.size(), 200 + 100 * pes - 1);  // (0, 0) occurs twice
    std::uint64_t here = 0;
    set.for_each_local([&](const std::pair<int, int>&) { ++here; });
    EXPECT_EQ(here, set.local_size());
    const auto sums =
        set.ask(std::vector<std::pair<int, int>>{{10, 5}, {10, 6}},
                [](const std::pair<int, int>& key) { return key.first + key.second; });
    EXPECT_EQ(sums, (std::vector<std::optional<int>>{15, std::nullopt}));
  });
}

TEST_P(distributed_map_of, questions_that_change_values) {
  run_on(GetParam().shape, [&](world& w) {
    distributed_map<int, int> map(w, GetParam().options());
    {
      const session scope = map.begin();
      if (w.rank() == 0) {
        for (int key = 0; key != 10; ++key) map.insert(key, 0);
      }
      map.finish();
    }
    // Each PE gets another number from each key.
    std::vector<int> keys;
    if (w.rank() != 1) keys = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    const auto tickets = map.ask(
        keys, [](const int&, int& value, int step) { return std::exchange(value, value + step); },
        2);
    const int askers = w.size() > 1 ? w.size() - 1 : 1;
    ASSERT_EQ(tickets.size(), keys.size());
    for (std::size_t i = 0; i != tickets.size(); ++i) {
      ASSERT_EQ(tickets[i].has_value(), i != 10);
      if (i == 10) continue;
      EXPECT_EQ(*tickets[i] % 2, 0);
      EXPECT_LT(*tickets[i], 2 * askers);
    }
    const auto text_of = map.ask(keys, [](const int& key, const int& value) {
      return std::to_string(key) + ":" + std::to_string(value);
    });
    for (std::size_t i = 0; i + 1 < text_of.size(); ++i) {
      EXPECT_EQ(text_of[i], std::to_string(i) + ":" + std::to_string(2 * askers));
    }
  });
}

// A visitor that takes the map sends along a chain of keys.
struct follow {
  void operator()(distributed_map<int, int>& map, const int& key, int& value, int left) const {
    ++value;
    if (left > 0) map.tell(key + 1, map.named(follow{}), left - 1);
  }
};

TEST_P(distributed_map_of, visitors_that_send) {
  if (GetParam().ending == termination_kind::staged) GTEST_SKIP() << "visitors send";
  run_on(GetParam().shape, [&](world& w) {
    distributed_map<int, int> map(w, GetParam().options());
    const auto walk = map.visitor(follow{});
    const session scope = map.begin(GetParam().one_producer_each());
    for (int i = 0; i != 5; ++i) map.tell(0, walk, 60);
    GetParam().finish(map);
    EXPECT_EQ(map.size(), 61U);
    for (auto [key, value] : map.local()) EXPECT_EQ(value, 5 * w.size()) << key;
  });
}

TEST_P(distributed_map_of, combined_updates) {
  const map_setup& setup = GetParam();
  run_on(setup.shape, [&](world& w) {
    distributed_map<int, std::int64_t> map(w, setup.options());
    const auto add =
        map.visitor([](const int&, std::int64_t& value, std::int64_t n) { value += n; });
    auto combined = map.combine(add, {}, 2000);
    for (int round = 0; round != 2; ++round) {
      const session scope = map.begin(setup.one_producer_each());
      dice d(seed_of(w, static_cast<std::uint64_t>(20 + round)));
      for (int i = 0; i != 2000; ++i) map.tell(d.below(1 + d.below(400)), combined, 1);
      map.flush();
      map.tell(1, combined, 10);
      setup.finish(map);
      EXPECT_LT(map.session_statistics().sent, 1700U);
    }
    std::int64_t here = 0;
    for (auto [key, value] : map.local()) here += value;
    EXPECT_EQ(w.reduce(here), 2 * 2010 * w.size());
  });
}

// An int becomes a double, and literals become strings.
TEST_P(distributed_map_of, values_that_are_converted) {
  run_on(GetParam().shape, [](world& w) {
    distributed_map<int, double> numbers(w);
    distributed_map<int, char> letters(w);
    distributed_map<std::string, std::string> words(w);
    {
      const session first = numbers.begin();
      const session second = letters.begin();
      const session third = words.begin();
      for (int i = 0; i != 300; ++i) {
        numbers.insert(i, i);
        if (i % 2 == 0) numbers.assign(i, i + 1000);
        letters.assign(i, 'a');
      }
      words.insert("key", "value");
      numbers.finish();
      letters.finish();
      words.finish();
    }
    EXPECT_EQ(numbers.size(), 300U);
    EXPECT_EQ(letters.size(), 300U);
    for (const auto& [key, value] : numbers.local()) {
      EXPECT_EQ(value, key % 2 == 0 ? key + 1000 : key);
    }
    for (const auto& [key, value] : letters.local()) EXPECT_EQ(value, 'a') << key;
    for (const auto& [key, value] : words.local()) EXPECT_EQ(value, "value") << key;
  });
}

// New visitors can be named between sessions, and a map can be moved.
TEST_P(distributed_map_of, sessions_with_more_and_more_visitors) {
  const map_setup& setup = GetParam();
  run_on(setup.shape, [&](world& w) {
    using map_type = distributed_map<int, int>;
    map_type first(w, setup.options());
    {
      const session scope = first.begin(setup.one_producer_each());  // nothing can be sent
      setup.finish(first);
    }
    const auto add = first.visitor([](const int&, int& value) { ++value; });
    session scope = first.begin(setup.one_producer_each());
    first.tell(1, add);
    map_type second(std::move(first));
    second.tell(1, add);
    setup.finish(second);
    const auto text = second.visitor(
        [](const int&, int& value, const std::string& s) { value += static_cast<int>(s.size()); });
    scope = second.begin(setup.one_producer_each());
    second.tell(1, add);
    second.tell(1, text, "four");
    setup.finish(second);
    const auto found = second.get(std::vector<int>{1});
    EXPECT_EQ(found[0], (3 + 4) * w.size());
    second.clear();
    EXPECT_EQ(second.size(), 0U);
  });
}

struct wide {
  std::array<std::uint64_t, 30> content;
};

// Keys and values of other sizes and alignments; the map grows to several segments.
TEST(distributed_map_of_many, keys) {
  run_on({substrate_kind::threads, 2, 1}, [&](world& w) {
    distributed_map<std::array<std::uint8_t, 3>, wide> map(w, {.keys_per_pe = 100});
    const auto count = map.visitor([](const std::array<std::uint8_t, 3>& key, wide& value,
                                      std::uint8_t n) { value.content[key[2] % 30U] += n; });
    const session scope = map.begin();
    for (int i = 0; i != 60000; ++i) {
      const auto low = static_cast<std::uint8_t>(i);
      const auto high = static_cast<std::uint8_t>(i >> 8);
      map.tell({low, high, static_cast<std::uint8_t>(low + high)}, count, 3);
    }
    map.finish();
    EXPECT_EQ(map.size(), 60000U);
    for (auto [key, value] : map.local()) {
      ASSERT_EQ(value.content[key[2] % 30U], 6U);
    }
  });
}

TEST(distributed_map, keys_of_a_set) {
  run_on({substrate_kind::threads, 2, 1}, [&](world& w) {
    distributed_map<int> set(w);
    const session scope = set.begin();
    for (int i = 0; i != 100; ++i) set.insert(i);
    set.finish();
    int sum = 0;
    for (const int& key : set.local()) sum += key;
    EXPECT_EQ(w.reduce(sum), 99 * 100 / 2);
  });
}

// A plain type without a default.
struct given {
  explicit given(int n) : number(n) {}
  int number;
  bool operator==(const given&) const = default;
};

TEST(distributed_map, plain_types_without_a_default) {
  run_on({substrate_kind::threads, 2, 1}, [&](world& w) {
    distributed_map<given, given> map(w);
    {
      const session scope = map.begin();
      for (int i = 0; i != 100; ++i) map.insert(given(i), given(i * 2));
      map.finish();
    }
    const auto found = map.get(std::vector<given>{given(7), given(200)});
    EXPECT_EQ(found[0], std::optional(given(14)));
    EXPECT_FALSE(found[1]);
    distributed_map<int, std::vector<given>> lists(w);
    {
      const session scope = lists.begin();
      lists.insert(1, {given(1), given(2)});
      lists.finish();
    }
    EXPECT_EQ(lists.get(std::vector{1})[0], std::optional(std::vector{given(1), given(2)}));
  });
}

INSTANTIATE_TEST_SUITE_P(collections, distributed_map_of, testing::ValuesIn(map_setups()),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::distributed_map_test
