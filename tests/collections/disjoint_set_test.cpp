// Tests of disjoint sets against a serial union-find: random unions, paths and stars from all PEs
// at the same time, and representatives that do not depend on the order of the unions.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/disjoint_set.hpp>
#include <boxcar/error.hpp>
#include <boxcar/stream.hpp>

#include "support/by_name.hpp"
#include "support/dice.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::disjoint_set_test {

// A key whose hash says nothing: all keys belong to one PE, and their order is that of numbers.
struct same_hash_key {
  std::uint32_t number = 0;
  friend auto operator<=>(const same_hash_key&, const same_hash_key&) = default;
};

}  // namespace boxcar::test::disjoint_set_test

template <>
struct boxcar::key_hash<boxcar::test::disjoint_set_test::same_hash_key> {
  std::uint64_t operator()(const test::disjoint_set_test::same_hash_key&) const { return 7; }
};

namespace boxcar::test::disjoint_set_test {
namespace {

using edge = std::array<std::uint32_t, 2>;  // two equal numbers name a key without a union

// The serial model.
class model {
 public:
  void add(const edge& e) {
    names_.try_emplace(e[0], e[0]);
    names_.try_emplace(e[1], e[1]);
    const std::uint32_t kept = names_[e[0]];
    const std::uint32_t gone = names_[e[1]];
    for (auto& [key, name] : names_) {
      if (name == gone) name = kept;
    }
  }
  [[nodiscard]] bool has(std::uint32_t key) const { return names_.contains(key); }
  [[nodiscard]] std::uint32_t name(std::uint32_t key) const { return names_.at(key); }
  [[nodiscard]] std::size_t size() const { return names_.size(); }
  [[nodiscard]] std::size_t components() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        names_, [](const auto& entry) { return entry.first == entry.second; }));
  }

 private:
  std::map<std::uint32_t, std::uint32_t> names_;
};

template <typename K>
K make(std::uint32_t n) {
  if constexpr (std::is_same_v<K, std::string>) {
    return std::string(n % 40, 'k') + std::to_string(n);
  } else if constexpr (std::is_same_v<K, same_hash_key>) {
    return {n};
  } else {
    return static_cast<K>(n);
  }
}

std::vector<edge> random_edges(world& w, std::uint32_t all, int count, int round) {
  dice d(program_seed(static_cast<std::uint64_t>(w.rank() + 1000 * round)));
  std::vector<edge> edges;
  const int mine = w.size() > 1 && w.rank() == round % w.size() ? 0 : d.below(2 * count + 1);
  for (int i = 0; i < mine; ++i) {
    const auto key = [&] { return static_cast<std::uint32_t>(d.below(static_cast<int>(all))); };
    edges.push_back({key(), key()});
  }
  return edges;
}

template <typename K>
void unite_all(disjoint_set<K>& sets, const std::vector<edge>& edges) {
  const session scope = sets.begin();
  for (const edge& e : edges) {
    if (e[0] == e[1]) {
      sets.insert(make<K>(e[0]));
    } else {
      sets.unite(make<K>(e[0]), make<K>(e[1]));
    }
  }
  sets.finish();
}

// Collective. Expects the sets of the model, and returns the representatives of all numbers.
template <typename K>
std::vector<K> expect_sets(disjoint_set<K>& sets, const model& expected, std::uint32_t all) {
  EXPECT_EQ(sets.components(), expected.components());
  EXPECT_EQ(sets.size(), expected.size());
  std::vector<K> keys;
  for (std::uint32_t n = 0; n != all; ++n) keys.push_back(make<K>(n));
  std::vector<K> found = sets.find(keys);
  EXPECT_EQ(found.size(), keys.size());
  std::map<std::uint32_t, K> of_name;
  std::map<K, std::uint32_t> name_of;
  for (std::uint32_t n = 0; n != all; ++n) {
    if (!expected.has(n)) {
      EXPECT_EQ(found[n], keys[n]);
      continue;
    }
    const std::uint32_t name = expected.name(n);
    EXPECT_EQ(of_name.try_emplace(name, found[n]).first->second, found[n]);
    EXPECT_EQ(name_of.try_emplace(found[n], name).first->second, name);
  }
  return found;
}

// Collective. All PEs unite their own edges, in two sessions; PE 0 unites all edges once more, in
// the opposite order.
template <typename K>
void check(world& w, std::uint32_t all, const std::vector<std::vector<edge>>& sessions) {
  disjoint_set<K> sets(w);
  std::vector<edge> seen;
  model expected;
  for (const std::vector<edge>& mine : sessions) {
    unite_all(sets, mine);
    for (const std::vector<edge>& of_pe : w.all_gather(mine)) {
      for (const edge& e : of_pe) {
        expected.add(e);
        seen.push_back(e);
      }
    }
    const std::vector<K> found = expect_sets(sets, expected, all);
    std::uint64_t keys = 0;
    sets.for_each([&](const K& key, const K& representative) {
      EXPECT_EQ(sets.owner(key), w.rank());
      const auto at = std::ranges::find_if(found, [&](const K& k) { return k == representative; });
      EXPECT_NE(at, found.end());
      ++keys;
    });
    EXPECT_EQ(w.reduce(keys), expected.size());
    std::ranges::reverse(seen);
    disjoint_set<K> again(w);
    unite_all(again, w.rank() == 0 ? seen : std::vector<edge>());
    EXPECT_EQ(expect_sets(again, expected, all), found);
  }
}

class disjoint_sets : public testing::TestWithParam<world_shape> {};

TEST_P(disjoint_sets, of_numbers_after_random_unions) {
  run_on(GetParam(), [](world& w) {
    check<std::uint64_t>(
        w, 300, {random_edges(w, 300, 200 / w.size(), 0), random_edges(w, 300, 200 / w.size(), 1)});
  });
}
TEST_P(disjoint_sets, of_texts_after_random_unions) {
  run_on(GetParam(), [](world& w) {
    check<std::string>(w, 100, {random_edges(w, 100, 80, 0), random_edges(w, 100, 5, 1)});
  });
}
TEST_P(disjoint_sets, of_keys_with_one_hash_after_random_unions) {
  run_on(GetParam(),
         [](world& w) { check<same_hash_key>(w, 100, {random_edges(w, 100, 50 / w.size(), 0)}); });
}

// The edges of a path and of a star, dealt out to the PEs.
TEST_P(disjoint_sets, of_paths_and_stars) {
  run_on(GetParam(), [](world& w) {
    constexpr std::uint32_t keys = 200;
    std::vector<edge> path;
    std::vector<edge> star;
    for (std::uint32_t n = 1; n != keys; ++n) {
      if (scramble(n) % static_cast<std::uint64_t>(w.size()) !=
          static_cast<std::uint64_t>(w.rank())) {
        continue;
      }
      path.push_back({n - 1, n});
      star.push_back({n, 77});
    }
    check<std::uint32_t>(w, keys, {path});
    check<std::uint32_t>(w, keys, {star});
    std::ranges::reverse(path);
    check<same_hash_key>(w, keys, {path});
  });
}

TEST_P(disjoint_sets, of_equal_and_of_no_keys) {
  run_on(GetParam(), [](world& w) {
    check<std::uint32_t>(w, 10, {{}, std::vector<edge>(20, edge{3, 3}), {}});
    check<std::uint32_t>(w, 10, {std::vector<edge>(20, edge{3, 4})});
    disjoint_set<int> sets(w);
    EXPECT_EQ(sets.components(), 0U);
    {
      const session scope = sets.begin();
      sets.unite(5, 5);
      sets.finish();
    }
    EXPECT_EQ(sets.components(), 1U);
    EXPECT_TRUE(sets.find(std::vector<int>()).empty());
    sets.clear();
    EXPECT_EQ(sets.size(), 0U);
  });
}

// A handler of a stream unites, and the disjoint set moves during the session.
TEST_P(disjoint_sets, unite_in_handlers_and_move) {
  run_on(GetParam(), [](world& w) {
    disjoint_set<int> first(w);
    disjoint_set<int> sets(w);
    stream<int> numbers(w, [&](int n) { sets.unite(n, n + 2); });
    const session unions = first.begin();
    sets = std::move(first);
    {
      const session scope = numbers.begin();
      for (int n = 0; n < 50; ++n) numbers.send(n, n % w.size());
      numbers.finish();
    }
    sets.finish();
    EXPECT_EQ(sets.components(), 2U);
    EXPECT_EQ(sets.size(), 52U);
  });
}

INSTANTIATE_TEST_SUITE_P(worlds, disjoint_sets, testing::ValuesIn(several_shapes()), by_name{});

class disjoint_set_misuse : public testing::TestWithParam<world_shape> {};

TEST_P(disjoint_set_misuse, is_an_error) {
  run_on(GetParam(), [](world& w) {
    disjoint_set<int> sets(w);
    for (int round = 0; round != 2; ++round) {
      expect_mentions(thrown_by<contract_error>([&] { sets.unite(1, 2); }),
                      {"unite", "no session", "call begin first"});
      expect_mentions(thrown_by<contract_error>([&] { sets.insert(1); }), {"insert"});
      const session scope = sets.begin();
      for (const auto& call : std::vector<std::function<void()>>{
               [&] { (void)sets.find(std::vector{1}); }, [&] { (void)sets.components(); },
               [&] { (void)sets.size(); }, [&] { sets.compress(); }, [&] { sets.clear(); }}) {
        expect_mentions(thrown_by<contract_error>(call),
                        {"the disjoint set has a session", "call finish first"});
      }
      expect_mentions(thrown_by<contract_error>([&] { (void)sets.begin(); }), {"begin"});
      sets.finish();
    }
    EXPECT_EQ(sets.size(), 0U);
  });
}

TEST_P(disjoint_set_misuse, of_keys_that_do_not_equal_themselves) {
  run_on(GetParam(), [](world& w) {
    const double none = std::numeric_limits<double>::quiet_NaN();
    disjoint_set<double> sets(w);
    const session scope = sets.begin();
    for (const auto& call : std::vector<std::function<void()>>{[&] { sets.unite(none, 1); },
                                                               [&] { sets.unite(1, none); },
                                                               [&] { sets.insert(none); }}) {
      expect_mentions(thrown_by<argument_error>(call), {"does not equal itself", "NaN"});
    }
    sets.unite(1, 2);
    sets.finish();
    EXPECT_EQ(sets.components(), 1U);
  });
}

INSTANTIATE_TEST_SUITE_P(worlds, disjoint_set_misuse, testing::ValuesIn(small_shapes()), by_name{});

}  // namespace
}  // namespace boxcar::test::disjoint_set_test
