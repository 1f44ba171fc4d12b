// Tests of rebalancing: every policy on every number of PEs, and what the report says.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include <boxcar/collection_balance.hpp>

#include "collections/scratch_folder.hpp"
#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::balance_test {
namespace {

class balance : public testing::TestWithParam<world_shape> {};

struct worker {
  std::int64_t index = 0;
  std::vector<std::int32_t> memory;
};

}  // namespace
}  // namespace boxcar::test::balance_test

template <>
struct boxcar::serializer<boxcar::test::balance_test::worker> {
  static void write(byte_writer& out, const test::balance_test::worker& x) {
    out.put(x.index);
    out.put(x.memory);
  }
  static test::balance_test::worker read(byte_reader& in) {
    return {in.get<std::int64_t>(), in.get<std::vector<std::int32_t>>()};
  }
};

namespace boxcar::test::balance_test {
namespace {

constexpr std::int64_t workers = 200;

// All load is on the first quarter of the objects; some of these have more.
double load_of(std::int64_t index) {
  return index < workers / 4 ? 1 + static_cast<double>(index % 3) : 0;
}

boxcar::collection<worker> uneven(const world& w) {
  boxcar::collection<worker> c(w, workers, [](std::int64_t i) {
    return worker{i, std::vector<std::int32_t>(static_cast<std::size_t>(i), 1)};
  });
  c.for_each_local([&](std::int64_t i, const worker&) { c.set_load(i, load_of(i)); });
  return c;
}

double load_here(boxcar::collection<worker>& c) {
  double sum = 0;
  c.for_each_local([&](std::int64_t i, const worker& x) {
    EXPECT_EQ(x.index, i);
    EXPECT_EQ(x.memory.size(), static_cast<std::size_t>(i));
    EXPECT_EQ(c.load(i), load_of(i));
    sum += c.load(i);
  });
  return sum;
}

double max_over_mean(world& w, double load) {
  return w.reduce(load, maximum()) * w.size() / w.reduce(load);
}

TEST_P(balance, evens_the_loads) {
  run_on(GetParam(), [](world& w) {
    for (const balance_policy policy : {balance_policy::greedy, balance_policy::diffusion}) {
      auto c = uneven(w);
      const double before = max_over_mean(w, load_here(c));
      const balance_report report = rebalance(c, {.policy = policy});
      EXPECT_NEAR(report.max_over_mean_before, before, 1e-9);
      const double after = max_over_mean(w, load_here(c));
      EXPECT_NEAR(report.max_over_mean_after, after, 1e-9);
      EXPECT_LE(after, before);
      if (w.size() <= 8) {
        EXPECT_LE(after, policy == balance_policy::greedy ? 1.2 : 1.6);
      }
      EXPECT_EQ(c.size(), static_cast<std::uint64_t>(workers));
      EXPECT_EQ(report.objects_moved != 0, w.size() > 1);
      // A second time there is little to do.
      const balance_report again = rebalance(c, {.policy = policy});
      EXPECT_LE(again.max_over_mean_after, after + 1e-9);
    }
  });
}

TEST_P(balance, rotates_and_does_nothing) {
  run_on(GetParam(), [](world& w) {
    auto c = uneven(w);
    const std::size_t here = c.local_size();
    const balance_report none = rebalance(c, {.policy = balance_policy::none});
    EXPECT_EQ(none.objects_moved, 0U);
    EXPECT_EQ(c.local_size(), here);
    for (int turn = 0; turn < w.size(); ++turn) {
      const balance_report report = rebalance(c, {.policy = balance_policy::rotate});
      EXPECT_EQ(report.objects_moved, w.size() == 1 ? 0U : static_cast<std::uint64_t>(workers));
    }
    load_here(c);
    EXPECT_EQ(c.local_size(), here);
    EXPECT_EQ(c.local(0) != nullptr, w.rank() == 0);
  });
}

TEST_P(balance, moves_nothing_that_costs_more_than_it_gains) {
  run_on(GetParam(), [](world& w) {
    auto c = uneven(w);
    const balance_report slow = rebalance(c, {.bytes_per_second = 1e-6});
    EXPECT_EQ(slow.was_not_worth_it, w.size() > 1);
    EXPECT_EQ(slow.objects_moved, 0U);
    const balance_report fast = rebalance(c, {.bytes_per_second = 1e9});
    EXPECT_FALSE(fast.was_not_worth_it);
    EXPECT_EQ(fast.objects_moved != 0, w.size() > 1);
    EXPECT_EQ(fast.bytes_moved != 0, w.size() > 1);
    std::ostringstream text;
    text << slow << '\n' << fast;
    EXPECT_NE(text.str().find("largest load over mean"), std::string::npos);
  });
}

TEST_P(balance, follows_a_file) {
  run_on(GetParam(), [](world& w) {
    const scratch_folder scratch(w);
    const std::string file = scratch.file("places");
    scratch.write(file, "# index PE\n3 0\n199 0 \n\n7\t" + std::to_string(w.size() - 1) + "\n");
    auto c = uneven(w);
    const auto report = rebalance(c, {.policy = balance_policy::from_file, .file = file});
    EXPECT_LE(report.objects_moved, 3U);
    EXPECT_EQ(c.local(3) != nullptr, w.rank() == 0);
    EXPECT_EQ(c.local(199) != nullptr, w.rank() == 0);
    EXPECT_EQ(c.local(7) != nullptr, w.rank() == w.size() - 1);
  });
}

TEST_P(balance, refuses_what_cannot_work) {
  run_on(GetParam(), [](world& w) {
    const scratch_folder scratch(w);
    const std::string file = scratch.file("places");
    scratch.write(file, "3 " + std::to_string(w.size()) + "\n");
    auto c = uneven(w);
    expect_mentions(thrown_by<argument_error>(
                        [&] { rebalance(c, {.policy = balance_policy::from_file, .file = file}); }),
                    {"line 1", "a PE from 0 to " + std::to_string(w.size() - 1)});
    for (const char* const name : {"/not/here", "/"}) {
      expect_mentions(thrown_by<argument_error>([&] {
                        rebalance(c, {.policy = balance_policy::from_file, .file = name});
                      }),
                      {std::string("cannot read ") + name});
    }
    expect_mentions(thrown_by<argument_error>([&] { rebalance(c, {.sessions = -1}); }),
                    {"must be 0 or more"});
    if (c.local(0) != nullptr) c.set_load(0, std::numeric_limits<double>::infinity());
    expect_mentions(thrown_by<argument_error>([&] { rebalance(c); }), {"the load of an object"});
  });
}

TEST_P(balance, takes_blanks_and_zeros_as_the_index_they_mean) {
  run_on(GetParam(), [](world& w) {
    const scratch_folder scratch(w);
    const std::string file = scratch.file("places");
    const std::string last = std::to_string(w.size() - 1);
    // There is no object with index 500.
    scratch.write(file, " \t3   " + last + "  \r\n\n  # comment\n 004\t \t" + last + "\n500 0\n");
    auto c = uneven(w);
    rebalance(c, {.policy = balance_policy::from_file, .file = file});
    EXPECT_EQ(c.local(3) != nullptr, w.rank() == w.size() - 1);
    EXPECT_EQ(c.local(4) != nullptr, w.rank() == w.size() - 1);

    using place = std::array<int, 2>;
    boxcar::collection<int, place> plane(w, {3, 3}, [](const place&) { return 0; });
    scratch.write(file, "2  1 0\n 0\t0 " + last);
    rebalance(plane, {.policy = balance_policy::from_file, .file = file});
    EXPECT_EQ(plane.local({2, 1}) != nullptr, w.rank() == 0);
    EXPECT_EQ(plane.local({0, 0}) != nullptr, w.rank() == w.size() - 1);
  });
}

TEST_P(balance, refuses_lines_that_are_no_index_with_a_pe) {
  run_on(GetParam(), [](world& w) {
    const scratch_folder scratch(w);
    const std::string file = scratch.file("places");
    auto c = uneven(w);
    const auto refused = [&](const std::string& text) {
      scratch.write(file, "# index PE\n" + text);
      return thrown_by<argument_error>(
          [&] { rebalance(c, {.policy = balance_policy::from_file, .file = file}); });
    };
    for (const char* const line : {"0", "x y", "x 0", "0 x", "0 0 0", "0.5 0", "0 0.5", "0 -1",
                                   "99999999999999999999999 0", "0 4294967296", "0,0"}) {
      expect_mentions(refused(line), {file + ", line 2", '"' + std::string(line) + '"',
                                      "give 1 coordinate of an index",
                                      "a PE from 0 to " + std::to_string(w.size() - 1)});
    }
    expect_mentions(refused("7 0\n 7 0\n"), {"line 3", "index 7 has a PE by line 2 already"});
  });
}

// What handlers take is measured, and the object that takes long moves away from the others.
TEST_P(balance, measures_loads) {
  if (GetParam().substrate == substrate_kind::simulated) GTEST_SKIP() << "handlers take no time";
  run_on(GetParam(), [](world& w) {
    collection_options options;
    options.measure_load = true;
    boxcar::collection<std::int64_t> c(
        w, 4, [](std::int64_t i) { return i; }, options);
    volatile double sink = 0;
    const auto work = c.on_item<int>([&](std::int64_t& index, int) {
      for (int i = 0; i < (index == 1 ? 20000 : 1); ++i) sink = std::sqrt(sink + i);
    });
    {
      const session scope = c.begin();
      for (int i = 0; i < 320 / w.size() + 16; ++i) {
        for (std::int64_t to = 0; to < 4; ++to) c.send(work, to, 0);
      }
      c.finish();
    }
    const double load = c.reduce([&](std::int64_t i, std::int64_t) { return c.load(i); }, 0.0);
    EXPECT_GT(load, 0);
    const auto report = rebalance(c);
    EXPECT_GE(report.max_over_mean_before, 1);
    EXPECT_EQ(c.reduce([&](std::int64_t i, std::int64_t) { return c.load(i); }, 0.0), 0);
  });
}

INSTANTIATE_TEST_SUITE_P(worlds, balance, testing::ValuesIn(several_shapes()), by_name{});

}  // namespace
}  // namespace boxcar::test::balance_test
