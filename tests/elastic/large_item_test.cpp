// Tests of items of many megabytes, with small items before and behind them.
#include <cstring>
#include <gtest/gtest.h>
#include <optional>
#include <vector>

#include <boxcar/elastic_conveyor.hpp>

#include "elastic/elastic_setup.hpp"
#include "support/by_name.hpp"
#include "support/item_content.hpp"
#include "support/run_on.hpp"

namespace boxcar::test::large_item_test {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;
constexpr std::size_t largest_item = 24 * mebibyte;

std::vector<std::byte> item_of(std::uint64_t number, std::size_t bytes) {
  std::vector<std::byte> item(bytes);
  if (bytes != 0) write_item({.number = number}, item);
  return item;
}

class large_item : public testing::TestWithParam<elastic_setup> {};

// PE 0 sends, the last PE receives; a single PE sends to itself.
TEST_P(large_item, arrives_in_order_and_intact) {
  const std::vector<std::size_t> sizes{3, mebibyte + 1, 0,  largest_item, largest_item - 5,
                                       0, 17,           16, 5 * mebibyte};
  run_on(GetParam().shape, [&](world& w) {
    elastic_conveyor c(w, largest_item, GetParam().options);
    const bool receives = w.rank() == w.size() - 1;
    const session s = c.begin();
    std::size_t pushed = w.rank() == 0 ? 0 : sizes.size();
    std::size_t pulled = 0;
    std::optional<std::vector<std::byte>> item;
    while (c.advance(pushed == sizes.size())) {
      for (; pushed < sizes.size(); ++pushed) {
        if (!item) item = item_of(pushed, sizes[pushed]);
        if (!c.push(*item, w.size() - 1)) break;
        item.reset();
      }
      while (const auto arrived = c.pull()) {
        ASSERT_TRUE(receives);
        ASSERT_EQ(arrived->from, 0);
        ASSERT_EQ(arrived->bytes.size(), sizes[pulled]);
        const std::vector<std::byte> expected = item_of(pulled, sizes[pulled]);
        ASSERT_TRUE(std::equal(expected.begin(), expected.end(), arrived->bytes.begin()));
        ++pulled;
      }
    }
    EXPECT_EQ(pulled, receives ? sizes.size() : 0);
  });
}

INSTANTIATE_TEST_SUITE_P(elastic, large_item,
                         testing::ValuesIn(plain_elastic_setups(small_shapes())), by_name{});

}  // namespace
}  // namespace boxcar::test::large_item_test
