// Windows and append buffers over the program's own symmetric memory.
#include <algorithm>
#include <cstddef>
#include <gtest/gtest.h>
#include <memory>
#include <shmem.h>
#include <span>
#include <vector>

#include <boxcar/append_buffer.hpp>
#include <boxcar/error.hpp>
#include <boxcar/shmem.hpp>
#include <boxcar/window.hpp>

#include "support/thrown.hpp"

namespace boxcar::test::client_window_test {
namespace {

class client_window : public testing::TestWithParam<int> {
 protected:
  // The parameter is the number of pretended nodes.
  world all() { return shmem::world_of_all({.nodes = GetParam()}); }
};

// Collective. Allocates symmetric memory.
std::span<long> symmetric(std::size_t elements) {
  auto* const memory = static_cast<long*>(shmem_malloc(elements * sizeof(long)));
  std::fill_n(memory, elements, -1);
  shmem_barrier_all();
  return {memory, elements};
}

TEST_P(client_window, is_reached_by_all) {
  const std::span<long> memory = symmetric(20);
  {
    world w = all();
    // The lengths differ between PEs, and the memory starts behind the beginning.
    window<long> a(w, memory.subspan(2, static_cast<std::size_t>(3 + w.rank())));
    EXPECT_EQ(memory[2], -1) << "what was there stays";
    w.barrier();
    const int right = (w.rank() + 1) % w.size();
    const int left = (w.rank() + w.size() - 1) % w.size();
    a.put(100 + w.rank(), right, static_cast<std::size_t>(2 + right));
    a.add(11, right, 0);
    EXPECT_THROW(a.put(1, right, static_cast<std::size_t>(3 + right)), argument_error);
    a.flush();
    w.barrier();
    EXPECT_EQ(memory[static_cast<std::size_t>(4 + w.rank())], 100 + left);
    EXPECT_EQ(memory[2], 10);
    EXPECT_EQ(memory[1], -1);
    w.barrier();
  }
  shmem_free(memory.data());
}

TEST_P(client_window, takes_pushes) {
  const std::span<long> memory = symmetric(10);
  {
    world w = all();
    append_buffer<long> a(w, memory);
    for (int pe = 0; pe < w.size(); ++pe) a.push(w.rank(), pe);
    a.finish();
    std::vector<long> arrived(a.arrived().begin(), a.arrived().end());
    std::ranges::sort(arrived);
    ASSERT_EQ(arrived.size(), static_cast<std::size_t>(w.size()));
    for (int pe = 0; pe < w.size(); ++pe) EXPECT_EQ(arrived[static_cast<std::size_t>(pe)], pe);
    EXPECT_EQ(a.arrived().data(), memory.data());
    w.barrier();
  }
  shmem_free(memory.data());
}

// Memory that differs between PEs, or is not symmetric, is refused where other PEs would access it.
TEST_P(client_window, must_be_the_same_object) {
  const std::span<long> memory = symmetric(20);
  {
    world w = all();
    const bool is_alone = w.local_size() == 1;
    const auto other = memory.subspan(static_cast<std::size_t>(w.rank() % 2 * 5), 4);
    if (!is_alone) {
      expect_mentions(thrown_by<argument_error>([&] { window<long>(w, other); }),
                      {"window", "not the same symmetric object", "PE", "shmem_malloc"});
      std::vector<long> own(4);
      expect_mentions(thrown_by<argument_error>([&] { window<long>(w, std::span(own)); }),
                      {"program's own", "symmetric memory"});
    }
    for (const long n : memory) EXPECT_EQ(n, -1);
  }
  shmem_barrier_all();
  shmem_free(memory.data());
}

INSTANTIATE_TEST_SUITE_P(nodes, client_window, testing::Values(1, 2, 4));

}  // namespace
}  // namespace boxcar::test::client_window_test
