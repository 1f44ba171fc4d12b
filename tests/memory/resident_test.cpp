// Tests that the pages of buffers become resident with the first item: unwritten buffers take no
// memory, within a node and between nodes.
#include <cstdint>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <unistd.h>

#include <boxcar/conveyor.hpp>
#include <boxcar/stream.hpp>

#include "support/run_on.hpp"

namespace boxcar::test::resident_test {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{4} << 20;

std::int64_t resident_bytes() {
  std::int64_t all = 0;
  std::int64_t resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

// Expects few resident pages of the object from `make`, while nothing is sent.
void expect_few_pages(const std::function<std::shared_ptr<void>(world&)>& make) {
  run_on({substrate_kind::threads, 4, 2}, [&](world& w) {
    w.barrier();
    const std::int64_t before = resident_bytes();
    w.barrier();
    const std::shared_ptr<void> held = make(w);
    w.barrier();
    // Each PE has four links, and two or three buffers for each.
    EXPECT_LT(resident_bytes() - before, static_cast<std::int64_t>(buffer_bytes));
    w.barrier();
  });
}

TEST(resident_memory, comes_with_the_items_of_conveyors) {
  expect_few_pages([](world& w) {
    return std::make_shared<conveyor<long>>(w, conveyor_options{.buffer_bytes = buffer_bytes});
  });
}

TEST(resident_memory, comes_with_the_items_of_streams) {
  expect_few_pages([](world& w) {
    return std::make_shared<stream<long>>(
        w, [](long) {}, stream_options{.buffer_bytes = buffer_bytes});
  });
}

}  // namespace
}  // namespace boxcar::test::resident_test
