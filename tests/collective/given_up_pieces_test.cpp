// A function throws in a piece of a call of a started collective: the other pieces of the call are
// given up, and earlier calls with equal pieces are not.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <gtest/gtest.h>
#include <span>
#include <stdexcept>
#include <vector>

#include <boxcar/collective_run.hpp>

#include "collective/collective_case.hpp"
#include "collective/short_pieces.hpp"
#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/shared_array.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::given_up_pieces_test {
namespace {

class given_up_pieces : public testing::TestWithParam<world_shape> {};

// The last PE starts late, so that the earlier call is under way when the later one throws at PE 0.
TEST_P(given_up_pieces, of_a_call_leave_an_earlier_call_alone) {
  if (GetParam().pes < 3) return;
  const short_pieces pieces;
  shared_array<std::atomic<bool>> has_thrown(1);
  run_on(GetParam(), [&](world& w) {
    // The later call has a piece on a channel that the earlier one does not use, and one behind a
    // piece of the earlier one.
    constexpr std::size_t in_a_piece = 1000 / sizeof(affine);
    std::vector<affine> earlier(3 * in_a_piece);
    std::vector<affine> later(2 * in_a_piece);
    const auto start = [&](std::vector<affine>& values, const auto& combine) {
      return w.all_reduce_async(std::span(values), std::span(values), combine,
                                {.over = topology::pairwise, .by_node = false});
    };
    const auto throws = [](const affine&, const affine&) -> affine {
      throw std::runtime_error("no more paper");
    };
    std::vector<affine> all_channels(4 * in_a_piece);
    start(all_channels, then{}).wait();
    std::ranges::fill(earlier, affine{3, 5});
    has_thrown[0] = false;
    w.barrier();
    const bool is_late = w.rank() == w.size() - 1;
    while (is_late && !has_thrown[0]) w.sleep(std::chrono::microseconds(100));
    collective_run first = start(earlier, then{});
    collective_run second = start(later, throws);
    const auto wait_for_second = [&] {
      EXPECT_EQ(thrown_by<std::runtime_error>([&] { second.wait(); }), "no more paper");
    };
    if (w.rank() == 0) {
      wait_for_second();
      has_thrown[0] = true;
    }
    first.wait();
    if (w.rank() != 0) wait_for_second();
    affine expected{3, 5};
    for (int pe = 1; pe < w.size(); ++pe) expected = then{}(expected, {3, 5});
    EXPECT_EQ(std::ranges::count(earlier, expected), std::ssize(earlier));
    w.barrier();
  });
}

INSTANTIATE_TEST_SUITE_P(collective, given_up_pieces, testing::ValuesIn(several_shapes()),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::given_up_pieces_test
