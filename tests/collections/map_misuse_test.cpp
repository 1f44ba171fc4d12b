// Tests of bad input for distributed maps: a clear message on every PE, and no hang.
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <boxcar/distributed_map.hpp>
#include <boxcar/error.hpp>

#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::map_misuse_test {
namespace {

class map_misuse : public testing::TestWithParam<world_shape> {};

using counts = distributed_map<int, int>;
constexpr auto add_one = [](const int&, int& value) { ++value; };

TEST_P(map_misuse, operations_without_a_session) {
  run_on(GetParam(), [](world& w) {
    counts map(w);
    const auto add = map.visitor(add_one);
    const auto refuse_all = [&] {
      expect_mentions(thrown_by<contract_error>([&] { map.tell(1, add); }), {"no session"});
      expect_mentions(thrown_by<contract_error>([&] { map.insert(1, 2); }), {"no session"});
      expect_mentions(thrown_by<contract_error>([&] { map.erase(1); }), {"no session"});
      expect_mentions(thrown_by<contract_error>([&] { map.flush(); }), {"flush", "no session"});
      expect_mentions(thrown_by<contract_error>([&] { map.poll(); }), {"poll", "no session"});
      expect_mentions(thrown_by<contract_error>([&] { map.done(); }), {"done", "no session"});
      expect_mentions(thrown_by<contract_error>([&] { map.finish(); }), {"finish", "no session"});
    };
    refuse_all();
    {
      const session scope = map.begin();
      expect_mentions(thrown_by<contract_error>([&] { (void)map.begin(); }), {"begin", "session"});
      map.finish();
    }
    refuse_all();
    EXPECT_EQ(map.size(), 0U);
  });
}

TEST_P(map_misuse, visitors_that_store_no_value) {
  run_on(GetParam(), [](world& w) {
    counts map(w);
    for (const auto& name : std::vector<std::function<void()>>{
             [&] { (void)map.visitor(add_one, absent::store); },
             [&] { (void)map.visitor([](const int&, int&, int, int) {}, absent::store); },
             [&] { (void)map.visitor([](const int&, int&, std::string) {}, absent::store); }}) {
      expect_mentions(thrown_by<argument_error>(name), {"absent::store", "one argument"});
    }
  });
}

TEST_P(map_misuse, operations_within_a_session) {
  run_on(GetParam(), [](world& w) {
    counts map(w);
    const session scope = map.begin();
    expect_mentions(thrown_by<contract_error>([&] { (void)map.visitor(add_one); }),
                    {"visitor", "has a session"});
    expect_mentions(thrown_by<contract_error>([&] { (void)map.get(std::vector<int>{1}); }),
                    {"ask", "has a session"});
    expect_mentions(thrown_by<contract_error>([&] { map.save("folder"); }), {"save"});
    expect_mentions(thrown_by<contract_error>([&] { map.load("folder"); }), {"load"});
    map.finish();
  });
}

TEST_P(map_misuse, combined_updates_without_a_session) {
  run_on(GetParam(), [](world& w) {
    counts map(w);
    const auto add = map.visitor([](const int&, int& value, int n) { value += n; });
    auto combined = map.combine(add);
    expect_mentions(thrown_by<contract_error>([&] { map.tell(1, combined, 2); }),
                    {"tell", "no session"});
  });
}

TEST_P(map_misuse, a_visitor_of_another_map) {
  run_on(GetParam(), [](world& w) {
    counts first(w);
    counts second(w);
    const auto add = first.visitor(add_one);
    static_cast<void>(second.visitor(add_one));
    const session scope = second.begin();
    expect_mentions(thrown_by<argument_error>([&] { second.tell(1, add); }),
                    {"named by another map"});
    second.finish();
  });
}

// The new map often lies at the address of the destroyed map.
TEST_P(map_misuse, a_visitor_of_a_destroyed_map) {
  run_on(GetParam(), [](world& w) {
    std::optional<counts> map(std::in_place, w);
    const auto add = map->visitor(add_one);
    map.reset();
    map.emplace(w);
    static_cast<void>(map->visitor(add_one));
    const session scope = map->begin();
    expect_mentions(thrown_by<argument_error>([&] { map->tell(1, add); }),
                    {"named by another map"});
    map->finish();
  });
}

TEST_P(map_misuse, memory_for_too_many_keys) {
  run_on(GetParam(), [](world& w) {
    for (const std::uint64_t keys :
         {std::numeric_limits<std::uint64_t>::max(), std::uint64_t{1} << 45}) {
      const std::uint64_t mine = w.rank() == w.size() - 1 ? keys : 10;
      map_options options;
      options.keys_per_pe = mine;
      expect_mentions(thrown_by<argument_error>([&] { const counts map(w, options); }),
                      {"keys_per_pe", std::to_string(keys), "PE " + std::to_string(w.size() - 1)});
    }
    w.barrier();  // the world goes on
  });
}

TEST_P(map_misuse, keys_that_are_cleared_in_a_loop_over_them) {
  run_on(GetParam(), [](world& w) {
    counts map(w);
    {
      const session scope = map.begin();
      for (int i = 0; i != 100; ++i) map.insert(i, i);
      map.finish();
    }
    if (map.local_size() != 0) {
      const auto clear = [&] { map.for_each_local([&](const int&, int&) { map.clear(); }); };
      expect_mentions(thrown_by<contract_error>(clear), {"clear", "while for_each_local runs"});
    }
    EXPECT_EQ(map.size(), 100U);
    map.for_each_local([&](const int& key, int&) {
      if (key % 2 == 0) map.local_erase(key);
    });
    EXPECT_EQ(map.size(), 50U);
    map.clear();
  });
}

// Messages of all PEs arrive within a loop of each PE over its keys.
void expect_failure_of_loop(const world_shape& shape,
                            const std::function<void(counts& map, int key)>& send) {
  const world_report report = observe(shape, [&](world& w) {
    counts map(w);
    static_cast<void>(map.visitor(add_one));
    std::vector<int> mine;
    for (int i = 0; mine.size() != 1000; ++i) {
      if (map.owner(i) == w.rank()) mine.push_back(i);
    }
    const session scope = map.begin();
    map.insert(mine.front(), 1);
    map.flush();
    while (map.local_size() == 0) map.poll();
    map.for_each_local([&](const int&, int&) {
      for (const int key : mine) send(map, key);
      map.flush();
      while (map.local_size() != 0 && map.local_size() != mine.size()) map.poll();
    });
    map.finish();
  });
  EXPECT_TRUE(report.failed);
  for (const pe_report& pe : report.pes) {
    if (pe.end == ending::unknown) continue;  // a process may be ended before
    EXPECT_TRUE(pe.end == ending::contract_error || pe.end == ending::world_error) << pe.what;
    expect_mentions(pe.what, {"while for_each_local runs", "gather"});
  }
}

TEST_P(map_misuse, keys_that_arrive_in_a_loop_over_the_keys) {
  expect_failure_of_loop(GetParam(), [](counts& map, int key) { map.insert(key, 2); });
}

TEST_P(map_misuse, keys_that_messages_erase_in_a_loop_over_the_keys) {
  expect_failure_of_loop(GetParam(), [](counts& map, int key) { map.erase(key); });
}

TEST_P(map_misuse, visitors_that_are_not_named) {
  run_on(GetParam(), [](world& w) {
    counts map(w);
    expect_mentions(thrown_by<argument_error>([&] { (void)map.named(add_one); }),
                    {"no visitor, or several"});
    static_cast<void>(map.visitor(add_one));
    static_cast<void>(map.named(add_one));
    static_cast<void>(map.visitor(add_one));
    expect_mentions(thrown_by<argument_error>([&] { (void)map.named(add_one); }), {"several"});
  });
}

TEST_P(map_misuse, pes_that_disagree_on_visitors) {
  if (GetParam().pes < 2) return;
  run_on(GetParam(), [](world& w) {
    counts map(w);
    static_cast<void>(map.visitor(add_one));
    if (w.rank() == 1) static_cast<void>(map.visitor(add_one, absent::skip));
    const auto text = thrown_by<argument_error>([&] { (void)map.begin(); });
    expect_mentions(text, {"disagree", "visitors", "PE 0", "PE 1", "map_misuse_test.cpp", "skip"});
    w.barrier();  // the world goes on
  });
}

TEST_P(map_misuse, pes_that_disagree_on_types) {
  if (GetParam().pes < 2) return;
  run_on(GetParam(), [](world& w) {
    const auto text = thrown_by<argument_error>([&] {
      if (w.rank() == 0) {
        distributed_map<int, double> map(w);
      } else {
        distributed_map<int, float> map(w);
      }
    });
    expect_mentions(text, {"disagree", "from int to double", "from int to float"});
  });
}

// A value with a serializer, and without a default.
struct no_default {
  explicit no_default(int v) : value(v) {}
  int value;
  std::string text;
};

}  // namespace
}  // namespace boxcar::test::map_misuse_test

template <>
struct boxcar::serializer<boxcar::test::map_misuse_test::no_default> {
  static void write(byte_writer& out, const test::map_misuse_test::no_default& v) {
    out.put(v.value);
  }
  static test::map_misuse_test::no_default read(byte_reader& in) {
    return test::map_misuse_test::no_default(in.get<int>());
  }
};

namespace boxcar::test::map_misuse_test {
namespace {

TEST_P(map_misuse, values_without_a_default) {
  run_on(GetParam(), [](world& w) {
    distributed_map<int, no_default> map(w);
    const auto twice = [](const int&, no_default& v) { v.value *= 2; };
    expect_mentions(thrown_by<argument_error>([&] { (void)map.visitor(twice); }),
                    {"no default", "absent::skip"});
    const auto later = map.visitor(twice, absent::skip);
    const session scope = map.begin();
    map.tell(1, later);
    map.finish();
    EXPECT_EQ(map.size(), 0U);
  });
}

// A visitor that combines updates in `finish` would lose the updates.
struct combine_late {
  static inline thread_local combined_visitor<int, int, combine_late, std::plus<>>* updates =
      nullptr;
  void operator()(counts& map, const int& key, int& value, int n) const {
    value += n;
    if (key == 1) map.tell(2, *updates, 1);
  }
};

TEST_P(map_misuse, updates_that_are_combined_too_late) {
  if (GetParam().substrate == substrate_kind::simulated) return;  // PEs share the thread
  run_on(GetParam(), [](world& w) {
    counts map(w);
    auto updates = map.combine(map.visitor(combine_late{}));
    combine_late::updates = &updates;
    const session scope = map.begin();
    map.tell(1, map.named(combine_late{}), 1);
    if (map.owner(1) == w.rank()) {
      expect_mentions(thrown_by<contract_error>([&] { map.finish(); }), {"combined in a visitor"});
    } else {
      map.finish();
    }
  });
}

TEST_P(map_misuse, updates_whose_object_is_destroyed_before_they_are_sent) {
  const world_report report = observe(GetParam(), [](world& w) {
    counts map(w);
    const auto add = map.visitor([](const int&, int& value, int n) { value += n; });
    const session scope = map.begin();
    {
      auto sent = map.combine(add);
      map.tell(1, sent, 1);
      map.flush();
    }
    {
      auto lost = map.combine(add);
      map.tell(1, lost, 1);
    }
    map.finish();
  });
  EXPECT_TRUE(report.failed);
  int refused = 0;
  for (const pe_report& pe : report.pes) {
    if (pe.end != ending::contract_error) continue;  // another PE was first
    ++refused;
    expect_mentions(pe.what, {"finish", "combine", "destroyed", "keep the object until finish"});
  }
  EXPECT_GE(refused, 1);
}

// The visitor's PE gets the exception, all other PEs a notice of it.
TEST_P(map_misuse, a_visitor_that_throws) {
  const world_report report = observe(GetParam(), [&](world& w) {
    counts map(w);
    const auto add = map.visitor([](const int& key, int& value) {
      if (key == 17) throw std::runtime_error("seventeen is too much");
      ++value;
    });
    const session scope = map.begin();
    for (int i = 0; i != 100; ++i) map.tell(i % 10, add);
    if (w.rank() == 0) map.tell(17, add);
    map.finish();
    w.barrier();
  });
  EXPECT_TRUE(report.failed);
  int throwers = 0;
  for (const pe_report& pe : report.pes) {
    if (pe.end == ending::unknown) continue;  // a process may be ended before
    if (pe.end == ending::other_exception) {
      ++throwers;
    } else {
      EXPECT_EQ(pe.end, ending::world_error);
    }
    expect_mentions(pe.what, {"seventeen is too much"});
  }
  EXPECT_EQ(throwers, 1);
}

TEST_P(map_misuse, a_session_that_is_left_unfinished) {
  if (GetParam().pes < 2) return;
  const world_report report = observe(GetParam(), [](world& w) {
    counts map(w);
    const session scope = map.begin();
    map.insert(1, 1);
    if (w.rank() == 0) return;
    map.finish();
  });
  EXPECT_TRUE(report.failed);
  EXPECT_EQ(report.pes[0].end, ending::contract_error);
  expect_mentions(report.pes[0].what, {"unfinished", "finish"});
}

INSTANTIATE_TEST_SUITE_P(collections, map_misuse, testing::ValuesIn(small_shapes()), by_name{});

}  // namespace
}  // namespace boxcar::test::map_misuse_test
