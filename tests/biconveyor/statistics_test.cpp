// Tests of the statistics of a biconveyor: for queries and for replies apart.
#include <gtest/gtest.h>

#include "biconveyor/checked_biconveyor.hpp"
#include "support/by_name.hpp"
#include "support/run_on.hpp"

namespace boxcar::test::statistics_test {
namespace {

class biconveyor_statistics : public testing::TestWithParam<biconveyor_setup> {};

TEST_P(biconveyor_statistics, count_queries_and_replies) {
  ledger book(GetParam().shape.pes);
  run_on(GetParam().shape, [&](world& w) {
    checked_biconveyor c(w, GetParam().sizes, GetParam().options, book);
    const int questions = 60 * (w.rank() + 1);
    c.in_session([&] {
      int left = questions;
      while (c.advance(left == 0)) {
        while (left > 0 && c.push(left % w.size())) --left;
        c.pull_all();
      }
      const statistics queries = c.unchecked().query_statistics();
      const statistics replies = c.unchecked().reply_statistics();
      EXPECT_EQ(queries.begins, 1U);
      EXPECT_EQ(replies.begins, 1U);
      EXPECT_EQ(queries.pushes, static_cast<std::uint64_t>(questions));
      EXPECT_EQ(queries.pulls, c.answered());
      EXPECT_EQ(replies.pushes, c.answered());
      EXPECT_EQ(replies.pulls, static_cast<std::uint64_t>(questions));
      EXPECT_GT(queries.advances, 0U);
      EXPECT_GT(queries.memory_bytes, 0U);
      EXPECT_GT(replies.memory_bytes, 0U);
    });
    const statistics queries = c.unchecked().query_statistics();
    EXPECT_EQ(queries.pushes, static_cast<std::uint64_t>(questions)) << "of the last session";
    // All take the last hop.
    EXPECT_GE(w.reduce(queries.hops.back().packet_bytes()),
              w.reduce(queries.pushes) * GetParam().sizes.query);
  });
}

INSTANTIATE_TEST_SUITE_P(biconveyor, biconveyor_statistics,
                         testing::ValuesIn(varied_biconveyor_setups(small_shapes())), by_name{});

}  // namespace
}  // namespace boxcar::test::statistics_test
