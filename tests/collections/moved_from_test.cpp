// Tests of collections and containers that have been moved from: use is an error, what they were
// moved to works, and they can be assigned to.
#include <gtest/gtest.h>
#include <string>
#include <utility>

#include <boxcar/bag.hpp>
#include <boxcar/collection.hpp>
#include <boxcar/distributed_array.hpp>
#include <boxcar/distributed_map.hpp>
#include <boxcar/remote_function.hpp>

#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

// NOLINTBEGIN(bugprone-use-after-move): the tests use moved-from objects
namespace boxcar::test::moved_from_test {
namespace {

class moved_from : public testing::TestWithParam<world_shape> {};

template <typename Action>
void expect_refusal(const std::string& object, const Action& action) {
  expect_mentions(thrown_by<contract_error>(action), {"this " + object, "moved from"});
}

TEST_P(moved_from, collection) {
  run_on(GetParam(), [](world& w) {
    boxcar::collection<int> first(w, 4, [](std::int64_t) { return 0; });
    const auto add = first.on_item<int>([](int& object, int n) { object += n; });
    boxcar::collection<int> second = std::move(first);
    expect_refusal("collection", [&] { static_cast<void>(first.begin()); });
    expect_refusal("collection", [&] { first.send(add, 0, 1); });
    expect_refusal("collection", [&] { first.commit(); });
    expect_refusal("collection", [&] { static_cast<void>(first.local_size()); });
    first = std::move(second);
    const session scope = first.begin();
    first.send(add, 3, 1);
    first.finish();
    EXPECT_EQ(first.reduce([](std::int64_t, const int& object) { return object; }, 0), w.size());
  });
}

TEST_P(moved_from, containers) {
  run_on(GetParam(), [](world& w) {
    bag<int> first_bag(w);
    bag<int> bag_now = std::move(first_bag);
    expect_refusal("bag", [&] { static_cast<void>(first_bag.begin()); });
    expect_refusal("bag", [&] { first_bag.add(1); });
    expect_refusal("bag", [&] { first_bag.clear(); });
    first_bag = std::move(bag_now);
    first_bag.add(1);
    EXPECT_EQ(first_bag.local_size(), 1U);

    distributed_array<int> first_array(w, 10);
    distributed_array<int> array_now = std::move(first_array);
    expect_refusal("distributed_array", [&] { static_cast<void>(first_array.begin()); });
    expect_refusal("distributed_array", [&] { first_array.finish(); });

    distributed_map<int, int> first_map(w);
    distributed_map<int, int> map_now = std::move(first_map);
    expect_refusal("distributed_map", [&] { static_cast<void>(first_map.begin()); });
    expect_refusal("distributed_map", [&] { first_map.erase(1); });
    first_map = std::move(map_now);
    EXPECT_EQ(first_map.local_size(), 0U);
  });
}

TEST_P(moved_from, remote_function) {
  run_on(GetParam(), [](world& w) {
    int called = 0;
    boxcar::remote_function first(w, called, [](int& count) { ++count; });
    auto second = std::move(first);
    expect_refusal("remote function", [&] { static_cast<void>(first.begin()); });
    expect_refusal("remote function", [&] { first(0); });
    const session scope = second.begin();
    second(0);
    second.finish();
    EXPECT_EQ(called, w.rank() == 0 ? w.size() : 0);
  });
}

INSTANTIATE_TEST_SUITE_P(collections, moved_from, testing::ValuesIn(small_shapes()), by_name{});

}  // namespace
}  // namespace boxcar::test::moved_from_test
// NOLINTEND(bugprone-use-after-move)
