// Tests of a PE that fails while its monsters wait to be fetched: the other PEs get an error, and
// do not fetch released memory.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <stdexcept>

#include <boxcar/elastic_conveyor.hpp>
#include <boxcar/error.hpp>

#include "elastic/elastic_setup.hpp"
#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/shared_array.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::unfinished_session_test {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t monster = 50'000;
constexpr int max_waiting = 10;

class elastic_unfinished_session : public testing::TestWithParam<elastic_setup> {
 protected:
  // PE 0 pushes a monster to all PEs, or as many as may wait to be fetched, and does not complete
  // the session; the other PEs pull until an error.
  world_report leave_session(const std::function<void()>& ending_of_first) {
    shared_array<std::atomic<bool>> gone(1);
    return observe(GetParam().shape, [&](world& w) {
      elastic_conveyor c(w, max_waiting * monster, GetParam().options);
      const session s = c.begin();
      const std::vector<std::byte> large(monster);
      if (w.rank() == 0) {
        for (int pe = 0; pe < std::min(w.size(), max_waiting); ++pe) {
          while (!c.push(large, pe)) c.advance(false);
        }
        for (int i = 0; i < 100; ++i) c.advance(false);
        gone[0] = true;
        ending_of_first();
        return;
      }
      // The tickets are here, but the items are looked for too late.
      for (int i = 0; i < 100; ++i) c.advance(false);
      while (!gone[0]) std::this_thread::sleep_for(1ms);
      std::this_thread::sleep_for(20ms);
      while (c.advance(true)) {
        while (c.pull()) {
        }
      }
    });
  }
};

void expect_all_told(const world_report& report, ending first) {
  EXPECT_TRUE(report.failed);
  EXPECT_EQ(report.pes[0].end, first) << report.pes[0].what;
  for (std::size_t pe = 1; pe < report.pes.size(); ++pe) {
    // Processes may be ended before they notice.
    if (report.pes[pe].end == ending::unknown) continue;
    EXPECT_EQ(report.pes[pe].end, ending::world_error) << report.pes[pe].what;
    expect_mentions(report.pes[pe].what, {"PE 0"});
  }
}

TEST_P(elastic_unfinished_session, is_told_to_all) {
  expect_all_told(leave_session([] {}), ending::contract_error);
}

TEST_P(elastic_unfinished_session, is_told_to_all_after_an_exception) {
  expect_all_told(leave_session([] { throw std::runtime_error("out of wind"); }),
                  ending::other_exception);
}

INSTANTIATE_TEST_SUITE_P(elastic, elastic_unfinished_session,
                         testing::ValuesIn(plain_elastic_setups(with_at_least(2, small_shapes()))),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::unfinished_session_test
