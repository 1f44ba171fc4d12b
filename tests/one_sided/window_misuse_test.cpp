// Tests of mistakes with windows: the error has a message with the values and the remedy, and
// nothing is written.
#include <cstdint>
#include <gtest/gtest.h>
#include <stdexcept>
#include <utility>
#include <vector>

#include <boxcar/error.hpp>
#include <boxcar/stream.hpp>
#include <boxcar/window.hpp>

#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::window_misuse_test {
namespace {

using number = std::uint64_t;

class window_misuse : public testing::TestWithParam<world_shape> {};

TEST_P(window_misuse, beyond_the_part_of_a_pe) {
  run_on(GetParam(), [](world& w) {
    window<number> a(w, 10);
    const int pe = w.size() - 1;
    const std::vector<number> three(3, 7);
    expect_mentions(thrown_by<argument_error>([&] { a.put(1, pe, 10); }),
                    {"put", "element 10", "PE " + std::to_string(pe), "has 10", "size()"});
    expect_mentions(thrown_by<argument_error>([&] { a.put(three, pe, 8); }),
                    {"3 elements from 8 on", "has 10"});
    expect_mentions(thrown_by<argument_error>([&] { a.put(three, pe, 2, {.there = 4}); }),
                    {"3 elements from 2 on", "each 4 behind"});
    expect_mentions(thrown_by<argument_error>([&] { a.put(three, pe, 2, {.there = 0}); }),
                    {"stride is 0"});
    expect_mentions(thrown_by<argument_error>([&] { a.put(three, pe, 2, {.here = 0}); }),
                    {"stride is 0"});
    const std::size_t huge = ~std::size_t{0};
    EXPECT_THROW(a.put(three, pe, huge), argument_error);
    EXPECT_THROW(a.put(three, pe, huge - 1), argument_error);
    EXPECT_THROW(a.put(three, pe, 1, {.there = huge / 2}), argument_error);
    EXPECT_THROW(static_cast<void>(a.get(pe, 10)), argument_error);
    EXPECT_THROW(a.add(1, pe, 10), argument_error);
    EXPECT_THROW(a.fetch_add(1, pe, 11), argument_error);
    EXPECT_THROW(a.put(1, w.size(), 0), argument_error);
    EXPECT_THROW(a.put(1, -1, 0), argument_error);
    EXPECT_THROW(a.flush(w.size()), argument_error);
    EXPECT_THROW(static_cast<void>(a.direct(-1)), argument_error);
    EXPECT_THROW(static_cast<void>(a.size(-1)), argument_error);
    expect_mentions(
        thrown_by<argument_error>([&] { a.wait_until(10, [](number) { return true; }); }),
        {"wait_until", "element 10", "has 10"});
    a.flush();
    w.barrier();
    for (const number n : a.local()) EXPECT_EQ(n, 0U);
  });
}

TEST_P(window_misuse, after_a_move) {
  run_on(GetParam(), [](world& w) {
    window<number> a(w, 1);
    const window<number> b(std::move(a));
    // NOLINTBEGIN(bugprone-use-after-move)
    expect_mentions(thrown_by<contract_error>([&] { a.add(1, 0, 0); }),
                    {"add: the window", "moved"});
    expect_mentions(thrown_by<contract_error>([&] { a.fetch_add(1, 0, 0); }),
                    {"fetch_add: the window", "moved"});
    // NOLINTEND(bugprone-use-after-move)
  });
}

// All PEs get the same, and go on.
TEST_P(window_misuse, different_types) {
  if (GetParam().pes == 1) GTEST_SKIP() << "one PE agrees with itself";
  run_on(GetParam(), [](world& w) {
    const auto make = [&w] {
      if (w.rank() == 0) {
        const window<std::uint64_t> a(w, 1);
      } else {
        const window<double> a(w, 1);
      }
    };
    expect_mentions(thrown_by<argument_error>(make), {"element type", "double", "PE 1"});
    window<number> a(w, 1);
    a.add(1, 0, 0);
    a.flush();
    w.barrier();
  });
}

TEST_P(window_misuse, more_than_there_is) {
  run_on(GetParam(), [](world& w) {
    expect_mentions(thrown_by<argument_error>([&] { window<number> a(w, ~std::size_t{0} / 4); }),
                    {"more than there is memory"});
    // All together are more than can be counted.
    if (w.size() > 1 && w.nodes() == 1) {
      EXPECT_THROW(window<char>(w, std::size_t{1} << 62), argument_error);
    }
    window<number> a(w, 1);
    EXPECT_EQ(a.fetch_add(1, w.rank(), 0), 0U);
    a.put(std::vector<number>(10, 5), w.rank(), 0, {.here = ~std::size_t{0}});
    EXPECT_EQ(a.local()[0], 5U);
  });
}

// A wait within a handler could be what other PEs wait for.
TEST_P(window_misuse, waits_within_handlers) {
  run_on(GetParam(), [](world& w) {
    window<number> a(w, 1);
    counter c(w);
    int handled = 0;
    stream<int> s(w, [&](int) {
      ++handled;
      for (int pe = 0; pe < w.size(); ++pe) {
        if (w.is_local(pe)) {
          a.add(1, pe, 0);
          continue;
        }
        expect_mentions(thrown_by<contract_error>([&] { static_cast<void>(a.get(pe, 0)); }),
                        {"get", "within a handler"});
      }
      expect_mentions(thrown_by<contract_error>([&] { c.wait(1); }), {"wait", "within a handler"});
    });
    {
      const session scope = s.begin();
      s.send(1, (w.rank() + 1) % w.size());
      s.finish();
    }
    EXPECT_EQ(handled, 1);
    w.barrier();
    EXPECT_EQ(a.local()[0], static_cast<number>(w.local_size()));
    w.barrier();
  });
}

// The program of a PE throws while other PEs access its memory, or wait.
TEST_P(window_misuse, a_pe_fails_while_others_wait) {
  if (GetParam().pes == 1) GTEST_SKIP() << "nobody is left";
  const auto report = observe(GetParam(), [](world& w) {
    counter c(w);
    if (w.rank() == 0) throw std::runtime_error("out of ideas");
    c.wait(1);
  });
  EXPECT_TRUE(report.failed);
  for (std::size_t pe = 1; pe < report.pes.size(); ++pe) {
    if (report.pes[pe].end == ending::unknown) continue;
    EXPECT_EQ(report.pes[pe].end, ending::world_error);
    expect_mentions(report.pes[pe].what, {"out of ideas"});
  }
}

INSTANTIATE_TEST_SUITE_P(one_sided, window_misuse, testing::ValuesIn(several_shapes()), by_name{});

}  // namespace
}  // namespace boxcar::test::window_misuse_test
