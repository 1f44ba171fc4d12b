// Tests of the search alone, on machines given by formulas.
#include "tuning/tuning_search.hpp"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

namespace boxcar::test::tuning_search_test {
namespace {

using namespace detail;

constexpr std::size_t KiB = 1024;

// The time of a session for each item.
using machine = std::function<double(const tuned_setting&)>;

const std::vector<tunable_way>& three_ways() {
  static const std::vector<tunable_way> ways{{"one", 64 * KiB, 256, 256 * KiB},
                                             {"two", 128 * KiB, 256, 1024 * KiB},
                                             {"three", 256 * KiB, 256, 1024 * KiB}};
  return ways;
}

double log2_of(const tuned_setting& s) {
  return std::log2(static_cast<double>(s.buffer_bytes));
}

// The optimum is one route and size; the time grows by `steepness` for each power of two away from
// the size.
machine valley(std::size_t way, double size, double steepness) {
  return [=](const tuned_setting& s) {
    return (s.way == way ? 1.0 : 1.5) + steepness * std::abs(log2_of(s) - size);
  };
}

// Runs the search to its end; `disturbed` is the factor of each session.
int run(
    tuning_search& search, const machine& m,
    const std::function<double()>& disturbed = [] { return 1.0; }) {
  int sessions = 0;
  while (!search.is_over() && sessions < 1000) {
    search.measured(m(search.next()) * disturbed(), 1.0);
    ++sessions;
  }
  return sessions;
}

double best_of(const std::vector<tunable_way>& ways, const machine& m) {
  double best = 1e30;
  for (std::size_t way = 0; way < ways.size(); ++way) {
    for (std::size_t bytes = ways[way].min_bytes; bytes <= ways[way].most_bytes; bytes *= 2) {
      best = std::min(best, m({way, bytes}));
    }
  }
  return best;
}

TEST(tuning_search, finds_the_best_within_25_steps) {
  for (std::size_t way = 0; way < 3; ++way) {
    for (const double size : {10.0, 13.0, 15.0, 16.0, 18.0, 20.0}) {
      for (const double steepness : {0.02, 0.2}) {
        const machine m = valley(way, size, steepness);
        tuning_search search(three_ways());
        const int sessions = run(search, m);
        EXPECT_TRUE(search.is_over());
        EXPECT_EQ(search.steps(), sessions);
        EXPECT_LE(sessions, tuning_search::max_steps);
        EXPECT_LE(m(search.best()) * 0.95, best_of(three_ways(), m))
            << way << ' ' << size << ' ' << steepness;
      }
    }
  }
}

TEST(tuning_search, finds_what_lies_beyond_sizes_that_make_no_difference) {
  // Buffers from 8 KiB on never fill; small buffers are better, very small buffers worse.
  const machine m = [](const tuned_setting& s) {
    const double size = log2_of(s);
    return s.way == 1 ? (size >= 13 ? 1.0 : size >= 11 ? 0.7 : 2.0) : 1.2;
  };
  tuning_search search(three_ways());
  run(search, m);
  EXPECT_LE(m(search.best()) * 0.95, 0.7);
  EXPECT_GT(search.gain(), 1.5);
}

TEST(tuning_search, stays_with_the_usual_setting_if_nothing_is_clearly_better) {
  for (const double other : {0.98, 1.0, 1.3, 5.0}) {
    tuning_search search(three_ways());
    const machine m = [&](const tuned_setting& s) { return s == search.usual() ? 1.0 : other; };
    EXPECT_LE(run(search, m), tuning_search::max_steps);
    EXPECT_EQ(search.best(), search.usual()) << other;
    EXPECT_EQ(search.gain(), 1.0);
  }
}

// Sessions take up to 40 % longer than they should, and one of ten three times as long.
TEST(tuning_search, is_not_led_to_what_is_worse_by_disturbances) {
  std::mt19937 generator(1);
  int found = 0;
  constexpr int searches = 200;
  for (int i = 0; i < searches; ++i) {
    const machine m = valley(static_cast<std::size_t>(i % 3), 11 + i % 8, 0.1);
    tuning_search search(three_ways());
    const int sessions = run(search, m, [&] {
      const double longer = std::uniform_real_distribution<double>(1.0, 1.4)(generator);
      return generator() % 10 == 0 ? 3 * longer : longer;
    });
    EXPECT_LE(sessions, tuning_search::max_steps);
    found += m(search.best()) * 0.95 <= m(search.usual()) ? 1 : 0;
  }
  EXPECT_GE(found, searches * 95 / 100);
}

TEST(tuning_search, keeps_within_bounds) {
  const std::vector<tunable_way> ways{{"one", 4096, 2048, 8192}, {"two", 4096, 4096, 4096}};
  tuning_search search(ways);
  run(search, [&](const tuned_setting& s) {
    EXPECT_TRUE(search.is_possible(s)) << s.way << ' ' << s.buffer_bytes;
    return 1 / log2_of(s);
  });
  EXPECT_EQ(search.best(), (tuned_setting{0, 8192}));
  EXPECT_FALSE(search.is_possible({2, 4096}));
}

TEST(tuning_search, is_over_at_once_where_nothing_is_open) {
  const tuning_search search({{"one", 4096, 4096, 4096}});
  EXPECT_TRUE(search.is_over());
  EXPECT_EQ(search.steps(), 0);
  EXPECT_EQ(search.best(), search.usual());
}

TEST(tuning_search, leaves_out_what_cannot_be_built) {
  tuning_search search(three_ways());
  const machine m = valley(1, 12, 0.2);
  int dropped = 0;
  for (int i = 0; i < 1000 && !search.is_over(); ++i) {
    if (search.next().way == 1) {
      search.dropped();
      ++dropped;
    } else {
      search.measured(m(search.next()), 1.0);
    }
  }
  EXPECT_TRUE(search.is_over());
  EXPECT_GE(dropped, 1);
  EXPECT_NE(search.best().way, 1U);
}

// The best setting of the trials cannot be built any more.
TEST(tuning_search, stays_as_usual_if_what_was_found_cannot_be_built_again) {
  tuning_search search(three_ways());
  const machine m = valley(1, 12, 0.2);
  for (int i = 0; i < 1000 && !search.is_over(); ++i) {
    if (search.steps() > 12 && search.next() != search.usual()) {
      search.dropped();
    } else {
      search.measured(m(search.next()), 1.0);
    }
  }
  EXPECT_TRUE(search.is_over());
  EXPECT_EQ(search.best(), search.usual());
}

}  // namespace
}  // namespace boxcar::test::tuning_search_test
