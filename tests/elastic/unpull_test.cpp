// Tests of unpull: small items, empty items and monsters, wherever they lie.
#include <gtest/gtest.h>

#include "elastic/checked_elastic.hpp"
#include "support/by_name.hpp"
#include "support/run_on.hpp"

namespace boxcar::test::unpull_test {
namespace {

constexpr std::size_t monster = 3000;

class elastic_unpull : public testing::TestWithParam<elastic_setup> {
 protected:
  void in_session(const std::vector<std::size_t>& sizes,
                  const std::function<void(checked_elastic&)>& body) {
    ledger book(GetParam().shape.pes);
    run_on(GetParam().shape, [&](world& w) {
      checked_elastic c(w, monster, GetParam().options, book, sizes);
      c.in_session([&] { body(c); });
    });
  }

  // Every PE sends to every PE, and each item is put back once before it is taken.
  void put_back_everything(const std::vector<std::size_t>& sizes) {
    in_session(sizes, [](checked_elastic& c) {
      int left = 10 * c.size();
      while (c.advance(left == 0)) {
        while (left > 0 && c.push(left % c.size())) --left;
        while (c.pull()) {
          EXPECT_TRUE(c.unpull());
          EXPECT_FALSE(c.unpull());
          c.advance(left == 0);  // does not lose the item put back
          EXPECT_FALSE(c.unpull());
          EXPECT_TRUE(c.pull());
        }
      }
    });
  }
};

TEST_P(elastic_unpull, of_small_items) {
  put_back_everything({1, 7, 40});
}

TEST_P(elastic_unpull, of_empty_items) {
  put_back_everything({0});
}

TEST_P(elastic_unpull, of_monsters) {
  put_back_everything({monster, monster - 1});
}

TEST_P(elastic_unpull, of_all_sorts) {
  put_back_everything({0, monster, 3, 0, 8, monster, 40});
}

TEST_P(elastic_unpull, has_nothing_to_put_back_at_first_and_at_last) {
  in_session({0, 5, monster}, [](checked_elastic& c) {
    EXPECT_FALSE(c.unpull());
    EXPECT_FALSE(c.pull());
    EXPECT_FALSE(c.unpull());
    c.push_surely(c.rank());
    c.finish();
    EXPECT_FALSE(c.pull());
    EXPECT_FALSE(c.unpull());
  });
}

// The session does not complete while the last item is put back.
TEST_P(elastic_unpull, keeps_the_session_open) {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{5}, monster}) {
    in_session({bytes}, [](checked_elastic& c) {
      c.push_surely(c.rank());
      while (c.pulled() == 0) {
        c.advance(true);
        c.pull();
      }
      for (int i = 0; i < 5; ++i) {
        ASSERT_TRUE(c.unpull());
        EXPECT_TRUE(static_cast<bool>(c.advance(true)));
        ASSERT_TRUE(c.pull());
      }
      c.finish();
    });
  }
}

INSTANTIATE_TEST_SUITE_P(elastic, elastic_unpull,
                         testing::ValuesIn(plain_elastic_setups(small_shapes())), by_name{});

}  // namespace
}  // namespace boxcar::test::unpull_test
