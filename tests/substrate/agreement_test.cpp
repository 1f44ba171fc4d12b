// Tests of the agreement of all PEs on values; if they differ, all PEs get the first PE with
// another value, and its value.
#include "substrate/agreement.hpp"

#include <gtest/gtest.h>
#include <string>

#include "support/by_name.hpp"
#include "support/run_on.hpp"

namespace boxcar::test::agreement_test {
namespace {

using detail::agreement;

class agreements : public testing::TestWithParam<world_shape> {};

TEST_P(agreements, are_reached_if_all_give_the_same) {
  run_on(GetParam(), [](world& w) {
    agreement same;
    same.on("size", 7);
    same.on("name", "a name");
    std::uint64_t numbers[] = {static_cast<std::uint64_t>(w.rank()), 5};
    EXPECT_FALSE(same.reach(*w.substrate(), numbers));
    EXPECT_EQ(numbers[0], static_cast<std::uint64_t>(w.size() - 1));
    EXPECT_EQ(numbers[1], 5U);
  });
}

TEST_P(agreements, tell_the_first_that_differs) {
  run_on(GetParam(), [](world& w) {
    if (w.size() < 3) return;
    // The values may also be too long for any inline buffer.
    for (const std::size_t length : {std::size_t{1}, std::size_t{10'000}}) {
      agreement differ;
      differ.on("size", 7);
      differ.on("name",
                w.rank() >= 2 ? std::string(length, static_cast<char>('a' + w.rank())) : "first");
      differ.on("count", w.rank());
      const auto found = differ.reach(*w.substrate());
      ASSERT_TRUE(found);
      // PE 1 differs in the last value, and is the first that differs.
      EXPECT_EQ(found->pe, 1);
      EXPECT_EQ(found->on, "count");
      EXPECT_EQ(found->first, "0");
      EXPECT_EQ(found->its, "1");
      EXPECT_EQ(found->text("thing", "a thing's"),
                "the PEs disagree on a thing's count: PE 0 gives 0, PE 1 gives 1; give the same on "
                "all PEs");
    }
  });
}

TEST_P(agreements, tell_values_of_any_length) {
  run_on(GetParam(), [](world& w) {
    if (w.size() < 2) return;
    agreement differ;
    differ.on("name", w.rank() == w.size() - 1 ? std::string(3000, 'x') : std::string());
    const auto found = differ.reach(*w.substrate());
    ASSERT_TRUE(found);
    EXPECT_EQ(found->pe, w.size() - 1);
    EXPECT_EQ(found->first, "");
    EXPECT_EQ(found->its, std::string(3000, 'x'));
  });
}

TEST_P(agreements, tell_the_first_problem_before_all_else) {
  run_on(GetParam(), [](world& w) {
    agreement fails;
    fails.on("rank", w.rank());
    if (w.rank() >= w.size() / 2) {
      fails.object("PE " + std::to_string(w.rank()) + " cannot");
      fails.object("and more");
    }
    const auto found = fails.reach(*w.substrate());
    ASSERT_TRUE(found);
    EXPECT_EQ(found->pe, w.size() / 2);
    EXPECT_EQ(found->problem, "PE " + std::to_string(w.size() / 2) + " cannot");
    EXPECT_EQ(found->text("thing", "a thing's"),
              "thing on PE " + std::to_string(found->pe) + ": " + found->problem);
  });
}

// The values are larger than a single exchange between PEs, in the order of the ranks.
TEST_P(agreements, rest_on_reductions_of_large_values) {
  run_on(GetParam(), [](world& w) {
    struct ranks {
      int n;
      int of[1000];
    };
    ranks mine{1, {w.rank()}};
    const ranks all = w.reduce(mine, [](ranks a, const ranks& b) {
      for (int i = 0; i < b.n; ++i) a.of[a.n++] = b.of[i];
      return a;
    });
    ASSERT_EQ(all.n, w.size());
    for (int pe = 0; pe < w.size(); ++pe) EXPECT_EQ(all.of[pe], pe);
  });
}

INSTANTIATE_TEST_SUITE_P(substrate, agreements, testing::ValuesIn(small_shapes()), by_name{});

}  // namespace
}  // namespace boxcar::test::agreement_test
