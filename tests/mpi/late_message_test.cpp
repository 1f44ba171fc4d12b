// Tests of a late message, whose sender computes or whose path is long: the late message delays no
// other message.
#include <chrono>
#include <gtest/gtest.h>
#include <vector>

#include <boxcar/boxcar.hpp>

#include "mpi/refusing_mpi.hpp"
#include "support/by_name.hpp"
#include "support/run_on.hpp"

namespace boxcar::test::late_message_test {
namespace {

constexpr int reader = 0;
constexpr int buffer_bytes = 4096;
// The items from each PE to the reader fill three buffers. There are four receives: messages behind
// the late message of a PE leave room for the messages of the other PE.
constexpr int items = 2500;

class a_message_that_ends_late : public testing::TestWithParam<world_shape> {};

TEST_P(a_message_that_ends_late, holds_up_no_other_pe_and_is_not_overtaken) {
  if (GetParam().nodes < GetParam().pes) GTEST_SKIP() << "MPI carries no message there";
  run_on(GetParam(), [](world& w) {
    if (w.rank() == reader) withhold_next_receive(buffer_bytes);
    conveyor<int> c(w, {.buffer_bytes = buffer_bytes, .buffers_per_link = 2});
    const session s = c.begin();
    std::vector<int> next(static_cast<std::size_t>(w.size()));
    int pulled = 0;
    bool is_late = w.rank() == reader;
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    for (int pushed = 0; c.advance(w.rank() == reader || pushed == items);) {
      while (w.rank() != reader && pushed < items && c.push(pushed, reader)) ++pushed;
      int from = 0;
      for (int item = 0; c.pull(item, from); ++pulled) {
        EXPECT_EQ(item, next[static_cast<std::size_t>(from)]++);
      }
      // All but one message are free to arrive.
      if (!is_late || (pulled == 0 && std::chrono::steady_clock::now() < patience)) continue;
      EXPECT_GT(pulled, 0);
      release_receive();
      is_late = false;
    }
    EXPECT_EQ(pulled, w.rank() == reader ? items * (w.size() - 1) : 0);
  });
}

INSTANTIATE_TEST_SUITE_P(mpi, a_message_that_ends_late, testing::ValuesIn(all_shapes()), by_name{});

}  // namespace
}  // namespace boxcar::test::late_message_test
