// Tests of sessions left incomplete by a PE: the PE gets contract_error, or its own exception if
// there was one; the other PEs, which would wait for its replies in vain, get world_error.
#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>
#include <thread>

#include <boxcar/biconveyor.hpp>
#include <boxcar/error.hpp>

#include "biconveyor/biconveyor_setup.hpp"
#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/shared_array.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::unfinished_session_test {
namespace {

using namespace std::chrono_literals;
using number_biconveyor = biconveyor<std::uint64_t, std::uint64_t>;

void expect_failure_of_first(const world_report& report, ending end,
                             std::initializer_list<std::string_view> mentions) {
  EXPECT_TRUE(report.failed);
  EXPECT_EQ(report.pes[0].end, end) << report.pes[0].what;
  expect_mentions(report.pes[0].what, mentions);
  for (std::size_t pe = 1; pe < report.pes.size(); ++pe) {
    // Processes may be ended before they notice.
    if (report.pes[pe].end == ending::unknown) continue;
    EXPECT_EQ(report.pes[pe].end, ending::world_error) << report.pes[pe].what;
    expect_mentions(report.pes[pe].what, {"PE 0"});
  }
}

class unfinished_biconveyor : public testing::TestWithParam<biconveyor_setup> {
 protected:
  // PE 0 calls `part` in a session and leaves the session; the other PEs complete their sessions.
  world_report leave_session(const std::function<void(number_biconveyor&)>& part) {
    return observe(GetParam().shape, [&](world& w) {
      number_biconveyor c(w, GetParam().options);
      const session s = c.begin([](std::uint64_t n) { return n; });
      EXPECT_TRUE(c.push(1, 0));
      if (w.rank() == 0) return part(c);
      std::uint64_t reply = 0;
      while (c.advance(true)) {
        while (c.pull(reply)) {
        }
      }
    });
  }
};

TEST_P(unfinished_biconveyor, while_working) {
  expect_failure_of_first(leave_session([](number_biconveyor&) {}), ending::contract_error,
                          {"unfinished", "working", "advance(true)"});
}

// The scope of the session outlives the biconveyor.
TEST_P(unfinished_biconveyor, of_one_that_is_destroyed) {
  const world_report report = observe(GetParam().shape, [](world& w) {
    auto c = std::make_unique<number_biconveyor>(w, GetParam().options);
    const session s = c->begin([](std::uint64_t n) { return n; });
    if (w.rank() == 0) return c.reset();
    while (c->advance(true)) {
    }
  });
  expect_failure_of_first(report, ending::contract_error, {"destroyed"});
}

TEST_P(unfinished_biconveyor, in_the_endgame) {
  expect_failure_of_first(leave_session([](number_biconveyor& c) { c.advance(true); }),
                          ending::contract_error, {"unfinished", "endgame"});
}

TEST_P(unfinished_biconveyor, in_cleanup) {
  const auto until_near = [](number_biconveyor& c) {
    while (c.advance(true) != advance_result::near) {
    }
  };
  expect_failure_of_first(leave_session(until_near), ending::contract_error,
                          {"unfinished", "cleanup"});
}

TEST_P(unfinished_biconveyor, left_by_an_exception) {
  for (const int advances : {0, 1, 2, 5}) {
    const auto give_up = [advances](number_biconveyor& c) {
      for (int i = 0; i < advances; ++i) c.advance(true);
      throw std::runtime_error("something else went wrong");
    };
    expect_failure_of_first(leave_session(give_up), ending::other_exception,
                            {"something else went wrong"});
  }
}

INSTANTIATE_TEST_SUITE_P(
    biconveyor, unfinished_biconveyor,
    testing::ValuesIn(plain_biconveyor_setups(with_at_least(2, small_shapes()))), by_name{});

class unsent_reply : public testing::TestWithParam<biconveyor_setup> {};

// Two queries and their tags fill a buffer, and so does one reply. 2 PEs over several hops are one
// group, so that queries reach a PE though the other PE does not advance.
std::vector<biconveyor_setup> one_reply_at_a_time() {
  std::vector<biconveyor_setup> setups;
  for (const world_shape& shape : with_at_least(2, small_shapes())) {
    for (int hops = 1; hops <= (shape.pes == 2 ? 3 : 1); ++hops) {
      const conveyor_options options{.hops = hops,
                                     .local_group = hops == 1 ? 0 : 2,
                                     .buffer_bytes = 18,
                                     .buffers_per_link = 1};
      setups.push_back({shape, "hops" + std::to_string(hops), options, {8, 16}});
    }
  }
  return setups;
}

// All queries have come to PE 0, but there is no room for the last reply, so that its query is not
// answered: PE 0 leaves a half complete session, and the other PEs do not wait for the other half.
TEST_P(unsent_reply, does_not_keep_the_others_waiting) {
  shared_array<std::atomic<bool>> gone(1);
  shared_array<std::atomic<int>> have_asked(1);
  const world_report report = observe(GetParam().shape, [&](world& w) {
    struct large_reply {
      std::uint64_t words[2];
    };
    biconveyor<std::uint64_t, large_reply> c(w, GetParam().options);
    const session s = c.begin([](std::uint64_t n) { return large_reply{{n, n}}; });
    if (w.rank() != 0) {
      EXPECT_TRUE(c.push(1, 0));
      EXPECT_TRUE(c.push(2, 0));
    }
    // The items of PE 0 must lie unread.
    if (w.rank() == 0) {
      while (have_asked[0] != w.size() - 1) std::this_thread::sleep_for(1ms);
    }
    c.advance(true);
    if (w.rank() == 0) {
      for (int i = 0; i < 100; ++i) {
        c.advance(true);
        std::this_thread::sleep_for(1ms);
      }
      EXPECT_EQ(c.query_statistics().pulls, c.reply_statistics().pushes);
      gone[0] = true;
      throw std::runtime_error("no patience");
    }
    ++have_asked[0];
    while (!gone[0]) std::this_thread::sleep_for(1ms);
    large_reply reply;
    while (c.advance(true)) {
      while (c.pull(reply)) {
      }
    }
  });
  expect_failure_of_first(report, ending::other_exception, {"no patience"});
}

INSTANTIATE_TEST_SUITE_P(biconveyor, unsent_reply, testing::ValuesIn(one_reply_at_a_time()),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::unfinished_session_test
