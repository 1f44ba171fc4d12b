// The fixture of the tests of windows, which run on all PEs of a world.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>

#include <boxcar/world.hpp>

#include "support/run_on.hpp"

namespace boxcar::test {

class window_setup : public testing::TestWithParam<world_shape> {
 protected:
  using number = std::uint64_t;

  static void on_all(const std::function<void(world&)>& body) { run_on(GetParam(), body); }
  // Returns different numbers for any two elements of any two PEs.
  static number mark(int pe, std::size_t index) {
    return (static_cast<number>(pe) + 1) << 32 | index;
  }
  // Returns the rank of the next PE.
  static int next(const world& w) { return (w.rank() + 1) % w.size(); }
  static int before(const world& w) { return (w.rank() + w.size() - 1) % w.size(); }
};

}  // namespace boxcar::test
