// Tests of the memory of large items in flight between PEs of one machine: fetched memory is
// reused, and abandoned memory is not, since a PE may still fetch it.
#include "substrate/shared_memory/shared_bulk.hpp"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>

#include "substrate/processes/process_memory.hpp"
#include "substrate/threads/thread_memory.hpp"

namespace boxcar::test::shared_bulk_test {
namespace {

using make_source = std::unique_ptr<detail::memory_source>();

class shared_bulk : public testing::TestWithParam<make_source*> {
 protected:
  static constexpr std::size_t bytes = 1000;

  std::unique_ptr<detail::bulk_offer> offer(int content) {
    auto o = room->offer(bytes);
    std::memset(o->data(), content, bytes);
    return o;
  }
  void expect_content(const detail::bulk_ticket& ticket, int content) {
    const auto delivery = room->fetch(ticket, [] {});
    EXPECT_TRUE(std::all_of(delivery->data(), delivery->data() + bytes,
                            [content](std::byte b) { return b == std::byte(content); }));
  }

  std::unique_ptr<detail::memory_source> source = GetParam()();
  std::shared_ptr<detail::bulk_room> room = std::make_shared<detail::bulk_room>(*source);
};

TEST_P(shared_bulk, uses_again_what_was_taken) {
  auto first = offer(7);
  const std::byte* const place = first->data();
  const auto ticket = first->put_up();
  EXPECT_FALSE(first->taken());
  expect_content(ticket, 7);
  EXPECT_TRUE(first->taken());
  first.reset();
  const auto second = offer(9);
  EXPECT_EQ(second->data(), place);
  EXPECT_FALSE(second->taken());
}

TEST_P(shared_bulk, leaves_alone_what_was_given_up) {
  auto first = offer(7);
  const auto ticket = first->put_up();
  first.reset();
  const auto second = offer(9);
  expect_content(ticket, 7);
}

INSTANTIATE_TEST_SUITE_P(substrate, shared_bulk,
                         testing::Values(&detail::make_thread_memory,
                                         &detail::make_process_memory));

}  // namespace
}  // namespace boxcar::test::shared_bulk_test
