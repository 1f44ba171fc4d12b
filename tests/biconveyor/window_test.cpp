// Tests that the number of queries without a pulled reply is bounded: a PE that pulls no replies
// cannot ask for ever.
#include <climits>
#include <gtest/gtest.h>

#include <boxcar/error.hpp>

#include "biconveyor/checked_biconveyor.hpp"
#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::window_test {
namespace {

class query_window : public testing::TestWithParam<biconveyor_setup> {
 protected:
  static constexpr int patience = 50;

  // Collective. Asks until queries are refused, without pulls.
  static void ask_until_refused(world& w, checked_biconveyor& c) {
    for (int in_vain = 0; in_vain < patience;) {
      const std::size_t before = c.open_questions();
      while (c.push((w.rank() + 1) % w.size())) {
      }
      in_vain = c.open_questions() == before ? in_vain + 1 : 0;
      c.advance(false);
      in_vain = w.reduce(in_vain, [](int a, int b) { return std::min(a, b); });
    }
  }
};

TEST_P(query_window, is_bounded) {
  ledger book(GetParam().shape.pes);
  run_on(GetParam().shape, [&](world& w) {
    checked_biconveyor c(w, GetParam().sizes, GetParam().options, book);
    c.in_session([&] {
      ask_until_refused(w, c);
      const std::size_t window = c.open_questions();
      EXPECT_GE(window, 1000U);
      EXPECT_LE(window, 100'000U);
      // An invalid query is reported, whether the window is full or not.
      for (const int pe : {-1, w.size(), INT_MAX}) {
        const std::vector<std::byte> query(GetParam().sizes.query);
        thrown_by<argument_error>([&] { c.unchecked().push(query, pe); });
      }

      // One reply makes room for one query.
      ASSERT_TRUE(c.pull());
      ask_until_refused(w, c);
      EXPECT_EQ(c.open_questions(), window);

      c.finish();
    });
  });
}

// The bound is each PE's own: few PEs tell as much as many.
INSTANTIATE_TEST_SUITE_P(
    biconveyor, query_window,
    testing::ValuesIn(plain_biconveyor_setups(or_cluster({{substrate_kind::threads, 1, 1},
                                                          {substrate_kind::threads, 3, 2},
                                                          {substrate_kind::processes, 2, 1}}))),
    by_name{});

}  // namespace
}  // namespace boxcar::test::window_test
