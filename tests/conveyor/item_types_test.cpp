// Tests that every trivially copyable type can be sent: also types without copy constructor, and
// types with a larger alignment than buffers have.
#include <cstdint>
#include <gtest/gtest.h>

#include <boxcar/biconveyor.hpp>
#include <boxcar/conveyor.hpp>

#include "support/run_on.hpp"

namespace boxcar::test::item_types_test {
namespace {

struct plain {
  std::uint64_t value;
};

struct only_assigned {
  only_assigned() = default;
  only_assigned(const only_assigned&) = delete;
  only_assigned& operator=(const only_assigned&) = default;
  std::uint64_t value;
};

struct alignas(128) far_apart {
  std::uint64_t value;
};

template <typename T>
class item_types : public testing::Test {};
using all_types = testing::Types<plain, only_assigned, far_apart>;
TYPED_TEST_SUITE(item_types, all_types);

constexpr std::uint64_t items = 1000;

int destination_of(std::uint64_t i, const world& w) {
  return static_cast<int>(i % static_cast<std::uint64_t>(w.size()));
}

TYPED_TEST(item_types, travel_on_conveyors) {
  for (const int hops : {1, 2, 3}) {
    run_on({substrate_kind::threads, 4, 1}, [hops](world& w) {
      conveyor<TypeParam> c(w, {.hops = hops, .buffer_bytes = 2048});
      const session s = c.begin();
      TypeParam item;
      std::uint64_t sent = 0;
      std::uint64_t sum = 0;
      while (c.advance(sent == items)) {
        for (item.value = sent; sent < items && c.push(item, destination_of(sent, w)); ++sent) {
          item.value = sent + 1;
        }
        while (c.pull(item)) sum += item.value;
      }
      EXPECT_EQ(w.reduce(sum), static_cast<std::uint64_t>(w.size()) * items * (items - 1) / 2);
    });
  }
}

TYPED_TEST(item_types, are_queries) {
  run_on({substrate_kind::threads, 4, 1}, [](world& w) {
    biconveyor<TypeParam, std::uint64_t> c(w, {.buffer_bytes = 2048});
    const session s = c.begin([](const TypeParam& query) { return query.value + 1; });
    TypeParam query;
    std::uint64_t asked = 0;
    std::uint64_t answered = 0;
    std::uint64_t reply = 0;
    while (c.advance(asked == items)) {
      for (query.value = asked; asked < items && c.push(query, destination_of(asked, w)); ++asked) {
        query.value = asked + 1;
      }
      while (c.pull(reply)) EXPECT_EQ(reply, ++answered);
    }
    EXPECT_EQ(answered, items);
  });
}

TEST(item_types, may_be_arrays) {
  run_on({substrate_kind::threads, 2, 1}, [](world& w) {
    conveyor<std::uint64_t[2]> c(w);
    const session s = c.begin();
    const std::uint64_t sent[2] = {3, 4};
    EXPECT_TRUE(c.push(sent, 1 - w.rank()));
    int arrived = 0;
    std::uint64_t item[2] = {};
    while (c.advance(true)) {
      for (; c.pull(item); ++arrived) EXPECT_EQ(item[0] + item[1], 7U);
    }
    EXPECT_EQ(arrived, 1);
  });
}

}  // namespace
}  // namespace boxcar::test::item_types_test
