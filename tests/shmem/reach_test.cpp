// Tests that OpenSHMEM itself accesses the segments of a window: PEs that compute, in no function
// of Boxcar, need do nothing for puts and gets of other PEs. If they had to, the test would never
// end.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

#include <boxcar/counter.hpp>
#include <boxcar/shmem.hpp>
#include <boxcar/window.hpp>

namespace boxcar::test::reach_test {
namespace {

// The PE computes until another PE has put the flag.
void compute_until_put(window<long>& flags, std::size_t index) {
  const std::atomic_ref<long> flag(flags.local()[index]);
  while (flag.load(std::memory_order_acquire) == 0) std::this_thread::yield();
}

TEST(reach, needs_no_doing_of_the_pe) {
  constexpr std::size_t each = 100'000;
  world w = shmem::world_of_all({.nodes = 2});
  const auto pes = static_cast<std::size_t>(w.size());
  const auto rank = static_cast<std::size_t>(w.rank());
  window<long> flags(w, pes);
  window<long> data(w, each * pes);
  std::fill(data.local().begin(), data.local().end(), 5);
  w.barrier();
  if (w.rank() == 0) {
    for (std::size_t pe = 1; pe < pes; ++pe) compute_until_put(flags, pe);
    for (std::size_t i = each; i < each * pes; ++i) {
      ASSERT_EQ(data.local()[i], static_cast<long>(i / each));
    }
  } else {
    std::vector<long> found(each);
    data.get(found, 0, 0);
    EXPECT_EQ(std::count(found.begin(), found.end(), 5), static_cast<long>(each));
    data.put(std::vector<long>(each, w.rank()), 0, each * rank);
    data.get_nbi(found, 0, each * rank);
    data.flush(0);
    EXPECT_EQ(std::count(found.begin(), found.end(), w.rank()), static_cast<long>(each));
    data.put(w.rank(), 0, each * rank);
    data.fence();  // of all puts to PE 0
    flags.put(1, 0, rank);
  }
  w.barrier();
}

// Only the fence of a counting put orders the puts.
TEST(reach, shows_data_before_their_count) {
  world w = shmem::world_of_all({.nodes = 2});
  for (const managed_by by : {managed_by::sender, managed_by::receiver}) {
    counter c(w, {.managed = by});
    window<long> data(w, 3000);
    const int next = (w.rank() + 1) % w.size();
    for (long round = 1; round <= 200; ++round) {
      data.put(std::vector<long>(3000, round), next, 0, c);
      c.wait(round);
      ASSERT_EQ(std::count(data.local().begin(), data.local().end(), round), 3000);
      w.barrier();
    }
  }
}

}  // namespace
}  // namespace boxcar::test::reach_test
