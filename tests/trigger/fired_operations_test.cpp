// Tests of the order of fired operations: the PE that fired them executes some within the node, and
// the PE that requested them sends others to other nodes.
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <new>

#include "trigger/adapter_block.hpp"

namespace boxcar::test::fired_operations_test {
namespace {

using detail::adapter_block;
using detail::command;
using detail::command_kind;

constexpr std::align_val_t boundary{64};

struct aligned_delete {
  void operator()(std::byte* memory) const { ::operator delete(memory, boundary); }
};

constexpr command here{.kind = command_kind::increment};
command away(std::uint64_t bits) {
  return {.kind = command_kind::put, .is_away = true, .bits = bits};
}

// So the answer to a message finds the entry appended before the send.
TEST(fired_operations, are_sent_when_what_fired_before_them_is_done) {
  const adapter_limits limits{.counters = 1, .entries = 1, .operations = 4, .memory = 0};
  const std::size_t bytes = adapter_block::bytes_for(limits);
  const std::unique_ptr<std::byte, aligned_delete> memory(
      static_cast<std::byte*>(::operator new(bytes, boundary)));
  std::memset(memory.get(), 0, bytes);
  adapter_block::create(memory.get(), limits);
  const adapter_block block(memory.get());

  block.fire(here);
  block.fire(away(1));
  EXPECT_FALSE(block.take_fired_away());
  EXPECT_EQ(block.take_fired_here().kind, here.kind);
  EXPECT_FALSE(block.take_fired_away());
  EXPECT_TRUE(block.head().has_fired_away);
  block.head().in_hand = 0;
  ASSERT_EQ(block.take_fired_away().value_or(away(0)).bits, 1U);
  EXPECT_FALSE(block.head().has_fired_away);

  block.fire(away(2));
  block.fire(here);
  block.fire(away(3));
  EXPECT_EQ(block.take_fired_away().value_or(away(0)).bits, 2U);
  EXPECT_FALSE(block.take_fired_away());
}

}  // namespace
}  // namespace boxcar::test::fired_operations_test
