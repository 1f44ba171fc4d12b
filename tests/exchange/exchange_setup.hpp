// The common parts of the tests of both forms of exchange.
#pragma once

#include <algorithm>
#include <cstddef>
#include <gtest/gtest.h>
#include <vector>

#include "support/conveyor_setup.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test {

class test_of_exchange : public testing::TestWithParam<conveyor_setup> {
 protected:
  // Options for items of at most `item_bytes` bytes. Buffers of few items hold as many of them.
  static conveyor_options options_for(std::size_t item_bytes) {
    conveyor_options options = GetParam().options;
    if (options.buffer_bytes != 0) {
      options.buffer_bytes = options.buffer_bytes / GetParam().item_bytes * item_bytes;
    }
    return options;
  }

  // Expects the end of PE 0, with the texts, and world_error on the other PEs.
  static void expect_failure_of_first(const world_report& report, ending end,
                                      std::initializer_list<std::string_view> mentions) {
    EXPECT_TRUE(report.failed);
    EXPECT_EQ(report.pes[0].end, end);
    expect_mentions(report.pes[0].what, mentions);
    for (std::size_t pe = 1; pe < report.pes.size(); ++pe) {
      // Processes may be ended before they notice.
      if (report.pes[pe].end == ending::unknown) continue;
      EXPECT_EQ(report.pes[pe].end, ending::world_error) << report.pes[pe].what;
    }
  }
};

inline std::vector<conveyor_setup> exchange_setups() {
  return varied_setups(all_shapes(), is_fixed_size);
}

// Setups for tests of failures, which are slow with many PEs, and of properties that hardly depend
// on the kind of conveyor.
inline std::vector<conveyor_setup> few_exchange_setups() {
  return varied_setups(small_shapes(), is_fixed_size);
}

}  // namespace boxcar::test
