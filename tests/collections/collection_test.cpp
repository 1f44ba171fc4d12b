// Tests of collections whose objects stay: items, arrays, broadcasts, and objects that are inserted
// and erased. (tests/collections/collection_misuse_test.cpp has misuse.)
#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <boxcar/collection.hpp>

#include "support/by_name.hpp"
#include "support/run_on.hpp"

namespace boxcar::test::collection_test {
namespace {

class collection : public testing::TestWithParam<world_shape> {};

struct summing {
  std::int64_t index = 0;
  std::int64_t sum = 0;
  void add(const std::int64_t& value) { sum += value; }
};

// An index that is no box: a type of the program.
struct name {
  std::array<char, 8> text{};
  bool operator==(const name&) const = default;
};

TEST_P(collection, items_reach_their_objects) {
  for (const std::int64_t objects : {0, 1, 2, 37}) {
    run_on(GetParam(), [objects](world& w) {
      boxcar::collection<summing> c(w, objects, [](std::int64_t i) { return summing{i, 0}; });
      const auto add = c.on_item(&summing::add);
      for (int round = 1; round <= 2; ++round) {
        const session scope = c.begin();
        for (std::int64_t i = 0; i < objects; ++i) c.send(add, i, i + w.rank());
        c.finish();
        c.for_each_local([&](std::int64_t index, const summing& object) {
          EXPECT_EQ(object.index, index);
          EXPECT_EQ(object.sum, round * (index * w.size() + w.size() * (w.size() - 1) / 2));
          EXPECT_EQ(c.local(index), &object);
        });
      }
      EXPECT_EQ(c.size(), static_cast<std::uint64_t>(objects));
      const std::int64_t total =
          c.reduce([](std::int64_t, const summing& s) { return s.sum; }, std::int64_t{0});
      std::int64_t expected = 0;
      for (std::int64_t i = 0; i < objects; ++i) {
        expected += 2 * (i * w.size() + w.size() * (w.size() - 1) / 2);
      }
      EXPECT_EQ(total, expected);
      const auto all = c.gather([](std::int64_t i, const summing&) { return std::to_string(i); });
      EXPECT_EQ(all.size(), w.rank() == 0 ? static_cast<std::size_t>(objects) : 0);
      for (const auto& [index, text] : all) EXPECT_EQ(text, std::to_string(index));
    });
  }
}

// Every mapping gives each index one home, and blocks are even.
TEST_P(collection, mappings_of_boxes_are_even) {
  run_on(GetParam(), [](world& w) {
    using place = std::array<int, 3>;
    const place extents{3, 5, 2};
    for (const auto& mapping :
         {collection_mapping<place>::block(extents), collection_mapping<place>::cyclic(extents)}) {
      boxcar::collection<summing, place> c(w, mapping, [](const place& p) {
        return summing{p[0] * 100 + p[1] * 10 + p[2], 0};
      });
      const auto add = c.on_item(&summing::add);
      EXPECT_EQ(c.size(), 30U);
      const auto fewest = static_cast<std::size_t>(30 / w.size());
      EXPECT_GE(c.local_size(), fewest);
      EXPECT_LE(c.local_size(), fewest + 1);
      const session scope = c.begin();
      for (int x = 0; x < 3; ++x) {
        for (int y = 0; y < 5; ++y) {
          for (int z = 0; z < 2; ++z) {
            c.send(add, {x, y, z}, std::int64_t{x * 100 + y * 10 + z});
          }
        }
      }
      c.finish();
      c.for_each_local([&](const place&, const summing& object) {
        EXPECT_EQ(object.sum, object.index * w.size());
      });
    }
  });
}

TEST_P(collection, objects_are_inserted_and_erased) {
  run_on(GetParam(), [](world& w) {
    boxcar::collection<summing, name> c(w, collection_mapping<name>::hashed());
    const auto add = c.on_item(&summing::add);
    // Every PE inserts an object, wherever the home is.
    const auto name_of = [](int pe) {
      return name{{'o', static_cast<char>('a' + pe % 26), static_cast<char>('a' + pe / 26)}};
    };
    c.insert(name_of(w.rank()), [] { return summing{}; });
    c.commit();
    EXPECT_EQ(c.size(), static_cast<std::uint64_t>(w.size()));
    {
      const session scope = c.begin();
      for (int pe = 0; pe < w.size(); ++pe) c.send(add, name_of(pe), std::int64_t{1});
      c.finish();
    }
    ASSERT_NE(c.local(name_of(w.rank())), nullptr);
    EXPECT_EQ(c.local(name_of(w.rank()))->sum, w.size());

    // The odd PEs take theirs back; messages to them are missing.
    if (w.rank() % 2 == 1) c.erase(name_of(w.rank()));
    c.commit();
    EXPECT_EQ(c.size(), static_cast<std::uint64_t>((w.size() + 1) / 2));
    std::uint64_t missing = 0;
    c.on_missing([&](const name& n, int source) {
      ++missing;
      EXPECT_EQ(n, name_of(source + 1));
    });
    {
      const session scope = c.begin();
      if (w.rank() + 1 < w.size()) c.send(add, name_of(w.rank() + 1), std::int64_t{1});
      c.finish();
    }
    EXPECT_EQ(w.reduce(missing), static_cast<std::uint64_t>(w.size() / 2));

    // An index that exists cannot be inserted, and what came with it is undone.
    c.insert(name{{'n', static_cast<char>('a' + w.rank())}}, [] { return summing{}; });
    if (w.rank() == w.size() - 1 && w.size() > 1) {
      c.insert(name_of(0), [] { return summing{}; });
      EXPECT_THROW(c.commit(), argument_error);
      EXPECT_EQ(c.local(name_of(0)), nullptr);
      EXPECT_EQ(c.size(), static_cast<std::uint64_t>((w.size() + 1) / 2));
    } else if (w.size() > 1) {
      EXPECT_THROW(c.commit(), argument_error);
      EXPECT_EQ(c.size(), static_cast<std::uint64_t>((w.size() + 1) / 2));
    } else {
      c.commit();
      EXPECT_EQ(c.size(), 2U);
    }
  });
}

// The session of objects ends by itself: each object calls `done` once.
TEST_P(collection, sessions_count_objects) {
  run_on(GetParam(), [](world& w) {
    for (const termination_kind kind : {termination_kind::staged, termination_kind::counting}) {
      // A PE may have no object.
      boxcar::collection<summing> c(w, w.size() - 1, [](std::int64_t i) { return summing{i, 0}; });
      const auto add = c.on_item(&summing::add);
      const session scope = c.begin_for_objects(kind);
      c.for_each_local([&](std::int64_t index, const summing&) {
        c.send(add, (index + 1) % (w.size() - 1), std::int64_t{5});
      });
      for (std::size_t i = 0; i < c.local_size(); ++i) c.done();
      c.finish();
      c.for_each_local([&](std::int64_t, const summing& s) { EXPECT_EQ(s.sum, 5); });
    }
  });
}

TEST_P(collection, arrays_are_whole_or_in_chunks) {
  run_on(GetParam(), [](world& w) {
    collection_options options;
    options.chunk_bytes = 100;
    boxcar::collection<summing> c(
        w, 5,
        [](std::int64_t i) {
          return summing{i, 0};
        },
        options);
    std::uint64_t whole = 0;
    std::uint64_t chunks = 0;
    const auto on_whole =
        c.on_array<std::int32_t>([&](summing&, std::int64_t i, std::span<const std::int32_t> a) {
          ++whole;
          EXPECT_EQ(a.size(), static_cast<std::size_t>(i) * 77);
          for (std::size_t k = 0; k < a.size(); ++k) EXPECT_EQ(a[k], static_cast<int>(k));
        });
    const auto on_chunk =
        c.on_chunk<std::int32_t>([&](summing& s, const array_chunk<std::int32_t>& chunk) {
          ++chunks;
          EXPECT_EQ(chunk.total, 77U);
          EXPECT_LE(chunk.elements.size(), 25U);
          for (std::size_t k = 0; k < chunk.elements.size(); ++k) {
            EXPECT_EQ(chunk.elements[k], static_cast<int>(chunk.first + k));
          }
          s.sum += static_cast<std::int64_t>(chunk.elements.size());
        });
    const session scope = c.begin();
    for (std::int64_t i = 0; i < 5; ++i) {
      std::vector<std::int32_t> a(static_cast<std::size_t>(i) * 77);
      std::iota(a.begin(), a.end(), 0);
      c.send_array(on_whole, i, a);
      a.resize(77);
      std::iota(a.begin(), a.end(), 0);
      c.send_array(on_chunk, i, a);
    }
    c.finish();
    EXPECT_EQ(w.reduce(whole), 5U * static_cast<std::uint64_t>(w.size()));
    EXPECT_EQ(w.reduce(chunks), 4U * 5U * static_cast<std::uint64_t>(w.size()));
    c.for_each_local([&](std::int64_t, const summing& s) { EXPECT_EQ(s.sum, 77 * w.size()); });
  });
}

// Arrays that take more than a buffer of the control stream.
TEST_P(collection, handlers_pass_on_large_arrays) {
  constexpr std::int64_t objects = 20;
  constexpr int count = 100;
  constexpr int hops = 4;
  run_on(GetParam(), [&](world& w) {
    boxcar::collection<long> c(w, objects, [](std::int64_t) { return 0L; });
    handler_number<int[]> on_array;
    on_array = c.on_array<int>([&](long& arrived, std::int64_t index, std::span<const int> a) {
      ++arrived;
      std::vector<int> next(a.begin(), a.end());
      if (--next[0] != 0) c.send_array(on_array, (index * 7 + 3) % objects, next);
    });
    const session scope = c.begin();
    const std::vector<int> large(4000, hops);
    for (int i = 0; i < count; ++i) c.send_array(on_array, i % objects, large);
    c.finish();
    EXPECT_EQ(c.reduce([](std::int64_t, long arrived) { return arrived; }, 0L),
              long{count} * hops * w.size());
  });
}

// A handler of one kind sends items of another kind, to other objects.
TEST_P(collection, handlers_send) {
  run_on(GetParam(), [](world& w) {
    struct hop {
      int left;
    };
    boxcar::collection<summing> c(w, 13, [](std::int64_t i) { return summing{i, 0}; });
    c.on_item<std::int64_t>(&summing::add);
    c.on_item<hop>([&](summing&, std::int64_t index, hop h) {
      c.send(index, std::int64_t{1});
      if (h.left != 0) c.send((index + 5) % 13, hop{h.left - 1});
    });
    const session scope = c.begin();
    if (w.rank() == 0) c.send(std::int64_t{3}, hop{129});
    c.finish();
    c.for_each_local([&](std::int64_t, const summing& s) { EXPECT_EQ(s.sum, 10); });
  });
}

TEST_P(collection, on_a_subset_of_the_world) {
  run_on(GetParam(), [](world& w) {
    auto half = w.split(w.rank() % 2);
    boxcar::collection<summing> c(*half, 9, [](std::int64_t i) { return summing{i, 0}; });
    const auto add = c.on_item(&summing::add);
    const session scope = c.begin();
    c.send(add, half->rank() % 9, std::int64_t{w.rank() % 2 + 1});
    c.finish();
    EXPECT_EQ(c.reduce([](std::int64_t, const summing& s) { return s.sum; }, std::int64_t{0}),
              (w.rank() % 2 + 1) * half->size());
  });
}

TEST_P(collection, wants_a_session_after_a_handler_was_added) {
  run_on(GetParam(), [](world& w) {
    boxcar::collection<summing> c(w, 4, [](std::int64_t i) { return summing{i, 0}; });
    const auto add = c.on_item(&summing::add);
    {
      const session scope = c.begin();
      c.finish();
    }
    c.on_item<int>([](summing&, int) {});
    EXPECT_THROW(c.send(add, 0, std::int64_t{1}), contract_error);
  });
}

// The index that a function gets may be the object's own.
TEST_P(collection, objects_are_erased_by_the_index_of_the_loop) {
  run_on(GetParam(), [](world& w) {
    for (const bool at_home : {true, false}) {
      constexpr std::int64_t objects = 60;
      boxcar::collection<summing> c(w, at_home ? collection_mapping<std::int64_t>::block(objects)
                                               : collection_mapping<std::int64_t>::hashed());
      for (std::int64_t i = 0; i < objects; ++i) {
        if (i % w.size() == w.rank()) c.insert(i, [&] { return summing{i, 0}; });
      }
      c.commit();
      c.for_each_local([&](const std::int64_t& index, const summing& object) {
        if (index % 4 == 1) c.erase(index);
        if (index % 4 == 3) c.erase(object.index);
      });
      c.commit();
      EXPECT_EQ(c.size(), static_cast<std::uint64_t>(objects / 2));
      c.for_each_local([](const std::int64_t& index, const summing&) { EXPECT_EQ(index % 2, 0); });
      std::uint64_t missing = 0;
      c.on_missing([&](const std::int64_t& index, int) {
        ++missing;
        EXPECT_EQ(index % 2, 1);
      });
      const auto add = c.on_item(&summing::add);
      const session scope = c.begin();
      for (std::int64_t i = 0; i < objects; ++i) c.send(add, i, std::int64_t{1});
      c.finish();
      EXPECT_EQ(w.reduce(missing), static_cast<std::uint64_t>(w.size() * objects / 2));
    }
  });
}

TEST_P(collection, objects_are_inserted_and_erased_within_the_loop) {
  run_on(GetParam(), [](world& w) {
    boxcar::collection<summing> c(w, collection_mapping<std::int64_t>::hashed());
    constexpr std::int64_t objects = 300;
    for (std::int64_t i = 0; i < objects; ++i) {
      if (i % w.size() == w.rank()) c.insert(i, [&] { return summing{i, 0}; });
    }
    c.commit();
    std::set<std::int64_t> seen;
    std::set<std::int64_t> erased;
    c.for_each_local([&](std::int64_t index, summing& object) {
      EXPECT_TRUE(seen.insert(index).second);
      EXPECT_FALSE(erased.contains(index));
      EXPECT_EQ(object.index, index);
      EXPECT_LT(index, objects);
      for (int more = 1; more <= 4; ++more) {
        c.insert(index + more * objects, [] { return summing{}; });
      }
      // The neighbour of a pair is erased if it has not been visited.
      const std::int64_t neighbour = index ^ 1;
      if (c.local(neighbour) == nullptr || seen.contains(neighbour)) return;
      c.erase(neighbour);
      erased.insert(neighbour);
    });
    c.commit();
    const auto num_seen = w.reduce(std::int64_t(seen.size()));
    const auto num_erased = w.reduce(std::int64_t(erased.size()));
    EXPECT_EQ(num_seen + num_erased, objects);
    EXPECT_EQ(static_cast<std::int64_t>(c.size()), 5 * num_seen);
  });
}

// An item without a default.
struct amount {
  explicit amount(std::int64_t n) : number(n) {}
  std::int64_t number;
};

TEST_P(collection, items_need_no_default) {
  run_on(GetParam(), [](world& w) {
    boxcar::collection<summing> c(w, 5, [](std::int64_t i) { return summing{i, 0}; });
    const auto add = c.on_item<amount>([](summing& s, const amount& a) { s.sum += a.number; });
    const session scope = c.begin();
    for (std::int64_t i = 0; i < 5; ++i) c.send(add, i, amount(i));
    c.broadcast(add, amount(100));
    c.finish();
    c.for_each_local([&](std::int64_t index, const summing& object) {
      EXPECT_EQ(object.sum, (index + 100) * w.size());
    });
  });
}

INSTANTIATE_TEST_SUITE_P(worlds, collection, testing::ValuesIn(several_shapes()), by_name{});

}  // namespace
}  // namespace boxcar::test::collection_test
