// Tests of items larger than agreed, and of invalid destinations: the push is refused with the
// value, and the conveyor goes on as if there had been no push.
#include <climits>
#include <gtest/gtest.h>

#include <boxcar/error.hpp>

#include "elastic/checked_elastic.hpp"
#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::oversized_item_test {
namespace {

constexpr std::size_t largest_item = 5000;

class refused_item : public testing::TestWithParam<elastic_setup> {
 protected:
  // `attempt` is made between pushes, and must not disturb them.
  void between_pushes(const std::function<void(world&, elastic_conveyor&)>& attempt) {
    ledger book(GetParam().shape.pes);
    run_on(GetParam().shape, [&](world& w) {
      checked_elastic c(w, largest_item, GetParam().options, book);
      c.in_session([&] {
        attempt(w, c.unchecked());
        int left = 20 * w.size();
        while (c.advance(left == 0)) {
          while (left > 0 && c.push(left % w.size())) {
            --left;
            attempt(w, c.unchecked());
          }
          c.pull_all();
        }
      });
    });
  }
};

TEST_P(refused_item, is_one_that_is_larger_than_agreed) {
  between_pushes([](world& w, elastic_conveyor& c) {
    for (const std::size_t bytes : {largest_item + 1, 3 * largest_item}) {
      const std::vector<std::byte> item(bytes);
      const std::string text =
          thrown_by<argument_error>([&] { return c.push(item, w.size() - 1); });
      expect_mentions(text, {std::to_string(bytes), std::to_string(largest_item)});
      EXPECT_EQ(c.state(), conveyor_state::working);
    }
  });
}

// The item may fit in a buffer or not, also in the rest of a buffer.
TEST_P(refused_item, is_one_that_is_larger_than_agreed_and_smaller_than_a_buffer) {
  run_on(GetParam().shape, [](world& w) {
    for (const std::size_t bound : {0U, 1U, 9U, 1000U}) {
      elastic_conveyor c(w, bound, {.hops = GetParam().options.hops, .buffer_bytes = 4096});
      const session s = c.begin();
      const std::vector<std::byte> item(bound + 1);
      for (int i = 0; i < 2; ++i) {
        const std::string text = thrown_by<argument_error>([&] { return c.push(item, w.rank()); });
        expect_mentions(text, {std::to_string(bound + 1), std::to_string(bound)});
        EXPECT_TRUE(c.push(std::span(item).first(bound), w.rank()));
      }
      int arrived = 0;
      while (c.advance(true)) {
        while (const auto here = c.pull()) {
          EXPECT_EQ(here->bytes.size(), bound);
          ++arrived;
        }
      }
      EXPECT_EQ(arrived, 2);
    }
  });
}

TEST_P(refused_item, is_one_to_nowhere) {
  between_pushes([](world& w, elastic_conveyor& c) {
    for (const int pe : {-1, w.size(), INT_MAX, INT_MIN}) {
      for (const std::size_t bytes : {std::size_t{0}, std::size_t{3}, largest_item}) {
        const std::vector<std::byte> item(bytes);
        const std::string text = thrown_by<argument_error>([&] { return c.push(item, pe); });
        expect_mentions(text, {"push to PE " + std::to_string(pe), std::to_string(w.size())});
      }
    }
  });
}

// The first error counts: the item is too large, its destination invalid, and there is no session.
TEST_P(refused_item, is_refused_for_the_state_before_all_else) {
  run_on(GetParam().shape, [](world& w) {
    elastic_conveyor c(w, largest_item, GetParam().options);
    const std::vector<std::byte> item(largest_item + 1);
    const auto refused = [&](int pe, const char* state) {
      const std::string text = thrown_by<contract_error>([&] { return c.push(item, pe); });
      expect_mentions(text, {"push", state});
    };
    refused(0, "dormant");
    refused(-1, "dormant");
    {
      const session s = c.begin();
      while (c.advance(true)) {
      }
      refused(0, "complete");
      refused(-1, "complete");
    }
    refused(0, "dormant");
  });
}

INSTANTIATE_TEST_SUITE_P(elastic, refused_item,
                         testing::ValuesIn(plain_elastic_setups(small_shapes())), by_name{});

}  // namespace
}  // namespace boxcar::test::oversized_item_test
