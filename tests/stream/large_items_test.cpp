// A message that names an item which no PE can have put up fails the world, and nothing is read.
#include "substrate/large_items.hpp"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <string>

#include <boxcar/error.hpp>
#include <boxcar/world.hpp>

#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::large_items_test {
namespace {

class large_items : public testing::TestWithParam<world_shape> {
 protected:
  // PE 0 has got the ticket, with the sender `from`.
  static void expect_refusal(int from, std::size_t bytes) {
    const world_report report = observe(GetParam(), [&](world& w) {
      detail::large_items items(*w.substrate(), 1000);
      if (w.rank() == 0) {
        const auto fetch = [&] { static_cast<void>(items.fetch(from, {0, 0, bytes})); };
        expect_mentions(thrown_by<world_error>(fetch), {"names an item", std::to_string(bytes)});
      }
      w.barrier();
    });
    EXPECT_TRUE(report.failed);
  }
};

// With the room that a network adds, the size would be 0 again.
TEST_P(large_items, are_not_larger_than_memory) {
  expect_refusal(0, std::numeric_limits<std::size_t>::max());
  expect_refusal(0, std::numeric_limits<std::size_t>::max() - 100);
}

TEST_P(large_items, are_of_pes_of_the_world) {
  expect_refusal(-1, 10);
  expect_refusal(GetParam().pes, 10);
}

INSTANTIATE_TEST_SUITE_P(streams, large_items, testing::ValuesIn(small_shapes()), by_name{});

}  // namespace
}  // namespace boxcar::test::large_items_test
