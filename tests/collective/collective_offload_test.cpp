// Tests of collectives that complete while all PEs but one are in no function of Boxcar. If a
// collective did not, the test would never end.
#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <span>
#include <vector>

#include <boxcar/collective.hpp>
#include <boxcar/window.hpp>

#include "support/by_name.hpp"
#include "support/computing_pes.hpp"
#include "support/run_on.hpp"

namespace boxcar::test::collective_offload_test {
namespace {

using number = std::uint64_t;

class collective_offload : public testing::TestWithParam<world_shape> {
 private:
  wanted_progress_threads wanted_;
};

// A sum unknown to any adapter.
struct plain_sum {
  number operator()(number a, number b) const { return a + b; }
};

template <typename Combine>
void sum_while_others_compute(world& w, window<number>& data, Combine combine, topology over) {
  const std::size_t length = data.local().size() / 2;
  const auto mine = data.local().first(length);
  const auto sum = data.local().last(length);
  window<number> over_there(w, 1);
  collectives make(w);
  make.use(data);
  collective total = make.all_reduce(mine, sum, combine, {.over = over});
  const auto pes = static_cast<number>(w.size());
  for (number run = 1; run <= 2; ++run) {
    std::ranges::fill(mine, run * (static_cast<number>(w.rank()) + 1));
    w.barrier();
    total.start();
    if (w.rank() == 0) {
      total.wait();
      for (int pe = 1; pe < w.size(); ++pe) raise_flag(over_there, pe, 0, run);
    } else {
      compute_until(over_there, 0, run);
    }
    total.wait();
    EXPECT_EQ(sum[0], run * pes * (pes + 1) / 2);
    EXPECT_EQ(sum[length - 1], run * pes * (pes + 1) / 2);
  }
  w.barrier();
}

TEST_P(collective_offload, goes_on_while_pes_compute) {
  run_on(GetParam(), [](world& w) {
    for (const std::size_t length : {std::size_t{1}, std::size_t{3000}}) {
      window<number> data(w, 2 * length);
      for (const topology over :
           {topology::automatic, topology::k_nomial_tree, topology::butterfly}) {
        sum_while_others_compute(w, data, std::plus<>{}, over);
        sum_while_others_compute(w, data, plain_sum{}, over);
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(collective, collective_offload, testing::ValuesIn(several_shapes()),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::collective_offload_test
