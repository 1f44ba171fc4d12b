// Tests that buffers arrive in the order of sending, in whatever order their messages end.
#include "substrate/cluster/arrival_order.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

#include "support/dice.hpp"

namespace boxcar::detail::arrival_order_test {
namespace {

using test::dice;

// The PEs 0, 1 and 2 of the world are the PEs 9, 4 and 6 of the job; PEs 0 and 2 send to this PE.
class arrival_orders : public testing::Test {
 protected:
  static constexpr std::size_t most = 12;

  // Receives buffer `number` of the sender with the rank `rank` in the job, `bytes` bytes long.
  void receive(int rank, unsigned number, std::size_t bytes = 0, bool last = false) {
    std::vector<std::byte>& message = messages_.emplace_back(bytes + trailer_bytes);
    message[bytes] = trailer_of(number % numbers_of_buffers, last);
    arrival_order::sender* const from = order_.find(rank);
    ASSERT_NE(from, nullptr);
    order_.add(*from, message.data(), message.size(),
               static_cast<std::uint32_t>(messages_.size() - 1),
               [&](const arrival& a) { arrived_.push_back(a); });
  }
  // Returns the slots of the arrived buffers: the first received buffer has slot 0.
  [[nodiscard]] std::vector<int> take_slots() {
    std::vector<int> slots;
    for (const arrival& a : std::exchange(arrived_, {})) slots.push_back(static_cast<int>(a.slot));
    return slots;
  }

  link_plan plan_{.outgoing = {}, .incoming = {0, 2}};
  arrival_order order_{plan_, rank_list(std::vector<int>{9, 4, 6}), most};
  std::deque<std::vector<std::byte>> messages_;
  std::vector<arrival> arrived_;
};

TEST_F(arrival_orders, know_only_the_senders_of_the_plan) {
  for (const int rank : {-1, 0, 4, 5, 7, 10}) EXPECT_EQ(order_.find(rank), nullptr) << rank;
  ASSERT_NE(order_.find(9), nullptr);
  EXPECT_EQ(order_.find(9)->pe, 0);
  EXPECT_EQ(order_.find(9)->link, 0U);
  ASSERT_NE(order_.find(6), nullptr);
  EXPECT_EQ(order_.find(6)->pe, 2);
  EXPECT_EQ(order_.find(6)->link, 1U);
}

TEST_F(arrival_orders, describe_what_has_arrived) {
  receive(6, 0, 100, true);
  ASSERT_EQ(arrived_.size(), 1U);
  EXPECT_EQ(arrived_[0].data, messages_[0].data());
  EXPECT_EQ(arrived_[0].bytes, 100U);
  EXPECT_EQ(arrived_[0].link, 1U);
  EXPECT_EQ(arrived_[0].source, 2);
  EXPECT_TRUE(arrived_[0].last);
  EXPECT_FALSE(arrived_[0].remote);
  receive(6, 1);
  EXPECT_EQ(arrived_[1].bytes, 0U);
  EXPECT_FALSE(arrived_[1].last);
}

TEST_F(arrival_orders, hold_back_what_has_overtaken) {
  receive(9, 2);
  receive(9, 1);
  EXPECT_EQ(take_slots(), std::vector<int>());
  receive(6, 0);  // the other sender does not wait
  EXPECT_EQ(take_slots(), std::vector<int>{2});
  receive(9, 0);
  EXPECT_EQ(take_slots(), (std::vector<int>{3, 1, 0}));
  receive(6, 2);
  receive(9, 3);
  EXPECT_EQ(take_slots(), std::vector<int>{5});
}

// Two senders of 1000 buffers each, of which at most `in_flight` are received out of order: the
// numbers of the buffers wrap around.
TEST_F(arrival_orders, keep_every_sender_in_order) {
  constexpr int in_flight = 4;
  constexpr unsigned count = 1000;
  dice d(3);
  std::array<std::vector<unsigned>, 2> waiting;
  std::array<unsigned, 2> sent{};
  while (sent[0] != count || sent[1] != count) {
    for (std::size_t i = 0; i < 2; ++i) {
      while (waiting[i].size() < in_flight && sent[i] != count) waiting[i].push_back(sent[i]++);
      while (!waiting[i].empty()) {
        const auto which = waiting[i].begin() + d.below(static_cast<int>(waiting[i].size()));
        receive(i == 0 ? 9 : 6, *which, *which);
        waiting[i].erase(which);
      }
    }
  }
  std::array<std::uint32_t, 2> next{};
  for (const arrival& a : arrived_) ASSERT_EQ(a.bytes, next[a.link]++) << "link " << a.link;
  EXPECT_EQ(next[0], count);
  EXPECT_EQ(next[1], count);
}

TEST_F(arrival_orders, account_for_their_memory) {
  EXPECT_EQ(order_.memory_bytes(), 2 * sizeof(arrival_order::sender) + most * sizeof(arrival));
}

}  // namespace
}  // namespace boxcar::detail::arrival_order_test
