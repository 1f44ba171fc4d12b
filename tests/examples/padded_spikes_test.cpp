// Tests of the all-to-all of padded blocks.
#include "support/padded_spikes.hpp"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

#include <boxcar/run.hpp>

namespace examples::test::padded_spikes_test {
namespace {

// The number of spikes of a slice from a PE to a PE: none, a few, more than fit in a block, and
// then few again.
std::uint32_t number_of_spikes(int slice, int from, int to) {
  const auto some = static_cast<std::uint32_t>(from + 2 * to);
  return slice == 2 && from == 0 ? 100 + some : slice == 0 ? 0 : some % 3;
}

std::uint32_t spike(int slice, int from, std::uint32_t number) {
  return static_cast<std::uint32_t>(slice) * 1'000'000 + static_cast<std::uint32_t>(from) * 10'000 +
         number;
}

TEST(padded_spikes, arrive_on_threads_also_if_they_do_not_fit) {
  for (const int pes : {1, 2, 5}) {
    boxcar::run(pes, [](boxcar::world& w) {
      padded_spikes blocks(w);
      for (int slice = 0; slice < 5; ++slice) {
        std::vector<std::uint32_t> right;
        for (int pe = 0; pe < w.size(); ++pe) {
          for (std::uint32_t i = 0; i < number_of_spikes(slice, w.rank(), pe); ++i) {
            blocks.add(spike(slice, w.rank(), i), pe);
          }
          for (std::uint32_t i = 0; i < number_of_spikes(slice, pe, w.rank()); ++i) {
            right.push_back(spike(slice, pe, i));
          }
        }
        std::vector<std::uint32_t> arrived;
        blocks.travel([&](std::uint32_t s) { arrived.push_back(s); });
        std::ranges::sort(arrived);
        std::ranges::sort(right);
        EXPECT_EQ(arrived, right) << "slice " << slice << ", PEs: " << w.size();
      }
    });
  }
}

}  // namespace
}  // namespace examples::test::padded_spikes_test
