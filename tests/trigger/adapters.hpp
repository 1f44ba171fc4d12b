// Common parts of all tests of adapters, on every substrate.
#pragma once

#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <span>

#include <boxcar/adapter.hpp>

#include "support/run_on.hpp"
#include "trigger/allotment.hpp"

namespace boxcar::test {

using number = std::uint64_t;

class adapters : public testing::TestWithParam<world_shape> {
 protected:
  static void on_all(const std::function<void(world&)>& body) { run_on(GetParam(), body); }
  static int next(const world& w) { return (w.rank() + 1) % w.size(); }
  static int before(const world& w) { return (w.rank() + w.size() - 1) % w.size(); }
  static number rank_of(const world& w) { return static_cast<number>(w.rank()); }
};

// A PE's records, in the order of arrival.
struct journal {
  journal(adapter& a, allotment& memory, std::size_t length)
      : written(memory.of<number>(length)), arrived(a.make_counter()) {
    a.perform(operation::append{a.make_entry(
        {.memory = bytes_of(written), .bits = 99, .manages_offset = true, .counter = arrived})});
  }
  std::span<number> written;
  event_counter arrived;
};

}  // namespace boxcar::test
