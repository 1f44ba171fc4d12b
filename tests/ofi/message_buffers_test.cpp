// Tests of buffers for messages: who is told of their ends, and how their operations end with them.
#include "substrate/ofi/message_buffers.hpp"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

#include "ofi/counting_owner.hpp"
#include "ofi/several_pes.hpp"
#include "substrate/ofi/tags.hpp"

namespace boxcar::detail::ofi::message_buffers_test {
namespace {

constexpr std::size_t message_size = 100;
constexpr std::size_t buffer_size = message_size + seal_bytes;

message_buffers buffers(endpoint& at, operation_owner& owner, std::size_t count) {
  return {at, owner, count, buffer_size, own_memory(count * buffer_size)};
}

class ofi_message_buffers : public testing::TestWithParam<const char*> {};

TEST_P(ofi_message_buffers, name_the_buffer_whose_operation_has_ended) {
  several_pes pes(2, GetParam(), "verbs");
  test::counting_owner owner;
  message_buffers to = buffers(pes.at(0), owner, 3);
  message_buffers from = buffers(pes.at(1), owner, 4);
  EXPECT_EQ(to.size(), 3U);
  EXPECT_GE(to.memory_bytes(), 3 * (buffer_size + sizeof(operation)));
  ASSERT_TRUE(to.receive(2, tag_of(first_of_pool, 0), any_rank));
  EXPECT_TRUE(to.is_under_way(2));
  EXPECT_FALSE(to.is_under_way(0));
  std::memset(from.buffer(3), 7, message_size);
  from.send(3, 0, message_size, tag_of(first_of_pool, 1));
  ASSERT_TRUE(pes.poll_until([&] { return owner.received_count == 1 && owner.sent_count == 1; }));
  EXPECT_EQ(owner.last_received, 2U);
  EXPECT_EQ(owner.last_bytes, message_size);
  EXPECT_EQ(owner.last_sent, 3U);
  EXPECT_FALSE(to.is_under_way(2));
  EXPECT_TRUE(std::all_of(to.buffer(2), to.buffer(2) + message_size,
                          [](std::byte b) { return b == std::byte{7}; }));
  EXPECT_TRUE(to.end());
  EXPECT_TRUE(from.end());
}

// The endpoint may be used on: neither later messages nor the end of the endpoint reach the owner.
TEST_P(ofi_message_buffers, take_back_their_receives) {
  several_pes pes(2, GetParam());
  test::counting_owner owner;
  {
    message_buffers to = buffers(pes.at(0), owner, 4);
    ASSERT_TRUE(to.receive(0, tag_of(first_of_pool, 0), any_rank));
    ASSERT_TRUE(to.receive(3, tag_of(first_of_pool, 0), any_rank));
    const message_buffers moved = std::move(to);
    EXPECT_TRUE(moved.is_under_way(3));
  }
  for (int i = 0; i < 100; ++i) pes.poll_all();
  EXPECT_EQ(owner.received_count, 0U);
}

TEST_P(ofi_message_buffers, can_be_none) {
  several_pes pes(1, GetParam(), "verbs");
  test::counting_owner owner;
  message_buffers none = buffers(pes.at(0), owner, 0);
  EXPECT_EQ(none.size(), 0U);
  EXPECT_TRUE(none.end());
  EXPECT_TRUE(none.end());
}

INSTANTIATE_TEST_SUITE_P(with, ofi_message_buffers, testing::Values("", "tcp;ofi_rxm"),
                         [](const auto& provider) { return name_in_test(provider.param); });

}  // namespace
}  // namespace boxcar::detail::ofi::message_buffers_test
