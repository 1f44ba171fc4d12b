// Tests of runs that proceed while PEs are in no function of Boxcar: within a node by themselves,
// between nodes, and where functions are called, with progress threads. If a run did not proceed,
// the test would never end.
#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>

#include <boxcar/schedule.hpp>
#include <boxcar/window.hpp>

#include "schedule/sum_along_a_chain.hpp"
#include "support/by_name.hpp"
#include "support/computing_pes.hpp"
#include "support/run_on.hpp"

namespace boxcar::test::schedule_offload_test {
namespace {

using number = std::uint64_t;

class schedule_offload : public testing::TestWithParam<world_shape> {
 private:
  wanted_progress_threads wanted_;
};

// PE 0 waits, which needs all other PEs; they compute until PE 0 signals the end.
void add_up_while_others_compute(world& w, adding how, const schedule_options& options) {
  constexpr std::size_t length = 700;
  window<number> data(w, 2 * length);
  window<number> over(w, 1);
  schedule s = sum_along_a_chain(w, data, how).compile(options);
  const auto pes = static_cast<number>(w.size());
  for (number run = 1; run <= 3; ++run) {
    std::ranges::fill(data.local().first(length), run * (static_cast<number>(w.rank()) + 1));
    w.barrier();
    s.start();
    if (w.rank() == 0) {
      s.wait();
      for (int pe = 1; pe < w.size(); ++pe) raise_flag(over, pe, 0, run);
    } else {
      compute_until(over, 0, run);
    }
    s.wait();
    EXPECT_EQ(data.local()[0], run * pes * (pes + 1) / 2);
    EXPECT_EQ(data.local()[length - 1], run * pes * (pes + 1) / 2);
  }
  w.barrier();
}

TEST_P(schedule_offload, goes_on_while_pes_compute) {
  run_on(GetParam(), [](world& w) {
    for (const adding how : {adding::by_the_adapter, adding::by_a_function}) {
      for (const std::size_t eager : {std::size_t{0}, std::size_t{1} << 20}) {
        add_up_while_others_compute(w, how,
                                    {.eager_bytes = eager, .eager_bytes_within_node = eager});
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(schedule, schedule_offload, testing::ValuesIn(several_shapes()),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::schedule_offload_test
