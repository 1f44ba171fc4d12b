// Tests of sessions left incomplete by a PE. The PE gets contract_error, or its own exception if
// there was one. The other PEs, which would wait for its items in vain, get world_error. The
// program fails.
#include <array>
#include <functional>
#include <gtest/gtest.h>
#include <stdexcept>

#include <boxcar/error.hpp>

#include "support/any_conveyor.hpp"
#include "support/by_name.hpp"
#include "support/conveyor_setup.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::unfinished_session_test {
namespace {

void push_one(any_conveyor& c, int pe) {
  const std::array<std::byte, 8> item{};
  c.push(item, pe);
}

void finish(any_conveyor& c) {
  int from = 0;
  while (c.advance(true)) {
    while (c.pull(pull_way::copy, from).data != nullptr) {
    }
  }
}

// Expects the ending of PE 0, the texts in its message, and world_error on all other PEs.
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

class unfinished_session : public testing::TestWithParam<conveyor_setup> {
 protected:
  // PE 0 calls `part` in a session and leaves the session; the other PEs complete their sessions.
  world_report leave_session(const std::function<void(any_conveyor&)>& part) {
    return observe(GetParam().shape, [&](world& w) {
      const auto c = make_conveyor(w, GetParam());
      c->in_session([&] {
        if (w.rank() == 0) return part(*c);
        push_one(*c, 0);
        finish(*c);
      });
    });
  }

  // Two conveyors, with one session inside the other.
  world_report nest_sessions(
      const std::function<void(world&, any_conveyor& outer, any_conveyor& inner)>& body) {
    return observe(GetParam().shape, [&](world& w) {
      const auto outer = make_conveyor(w, GetParam());
      const auto inner = make_conveyor(w, GetParam());
      outer->in_session([&] { inner->in_session([&] { body(w, *outer, *inner); }); });
    });
  }
};

TEST_P(unfinished_session, while_working) {
  const world_report report = leave_session([](any_conveyor&) {});
  expect_failure_of_first(report, ending::contract_error,
                          {"unfinished", "working", "advance(true)"});
}

TEST_P(unfinished_session, in_the_endgame) {
  const world_report report = leave_session([](any_conveyor& c) { c.advance(true); });
  expect_failure_of_first(report, ending::contract_error, {"unfinished"});
}

TEST_P(unfinished_session, in_cleanup) {
  const world_report report = leave_session([](any_conveyor& c) {
    push_one(c, 0);
    while (c.state() != conveyor_state::cleanup) c.advance(true);
  });
  expect_failure_of_first(report, ending::contract_error, {"unfinished", "cleanup"});
}

TEST_P(unfinished_session, left_by_an_exception) {
  const world_report report =
      leave_session([](any_conveyor&) { throw std::runtime_error("something else went wrong"); });
  expect_failure_of_first(report, ending::other_exception, {"something else went wrong"});
  if (GetParam().shape.substrate == substrate_kind::threads) {
    EXPECT_EQ(report.failure, "something else went wrong");  // `run` threw the same
  }
}

TEST_P(unfinished_session, left_by_an_exception_in_the_endgame) {
  const world_report report = leave_session([](any_conveyor& c) {
    c.advance(true);
    throw std::runtime_error("too late");
  });
  expect_failure_of_first(report, ending::other_exception, {"too late"});
}

// A PE that hides its failure does not keep the other PEs waiting.
TEST_P(unfinished_session, is_not_made_good_by_a_handler) {
  const world_report report = observe(GetParam().shape, [&](world& w) {
    const auto c = make_conveyor(w, GetParam());
    if (w.rank() == 0) {
      thrown_by<contract_error>([&] { c->in_session([] {}); });
    } else {
      c->in_session([&] { finish(*c); });
    }
    w.barrier();
  });
  EXPECT_TRUE(report.failed);
  for (const pe_report& pe : report.pes) {
    if (pe.end != ending::unknown) {
      EXPECT_EQ(pe.end, ending::world_error) << pe.what;
    }
  }
}

// The inner session fails while the outer session is complete: the outer session cannot be reset
// any more, and must not get in the way of the exception.
TEST_P(unfinished_session, within_a_complete_one) {
  const world_report report = nest_sessions([](world& w, any_conveyor& outer, any_conveyor& inner) {
    finish(outer);
    if (w.rank() == 0) throw std::runtime_error("within two sessions");
    finish(inner);
  });
  expect_failure_of_first(report, ending::other_exception, {"within two sessions"});
}

// The other PEs wait for PE 0 in the outer session; PE 0 must not wait for them in the inner
// session.
TEST_P(unfinished_session, around_a_complete_one) {
  const world_report report = nest_sessions([](world& w, any_conveyor& outer, any_conveyor& inner) {
    finish(inner);
    if (w.rank() == 0) throw std::runtime_error("within two sessions");
    finish(outer);
  });
  expect_failure_of_first(report, ending::other_exception, {"within two sessions"});
}

// The session is complete, but PE 0 does not reach its collective end.
TEST_P(unfinished_session, complete_and_left_by_an_exception) {
  const world_report report = leave_session([](any_conveyor& c) {
    finish(c);
    throw std::runtime_error("complete, but broken");
  });
  expect_failure_of_first(report, ending::other_exception, {"complete, but broken"});
}

TEST_P(unfinished_session, of_a_pe_that_leaves_the_world) {
  const world_report report = observe(GetParam().shape, [&](world& w) {
    const auto c = make_conveyor(w, GetParam());
    if (w.rank() == 0) return;  // PE 0 does not even begin
    c->in_session([&] { finish(*c); });
  });
  EXPECT_TRUE(report.failed);
  for (std::size_t pe = 1; pe < report.pes.size(); ++pe) {
    if (report.pes[pe].end != ending::unknown) {
      EXPECT_EQ(report.pes[pe].end, ending::world_error);
      expect_mentions(report.pes[pe].what, {"PE 0", "left"});
    }
  }
}

INSTANTIATE_TEST_SUITE_P(contract, unfinished_session,
                         testing::ValuesIn(plain_setups(with_at_least(2, small_shapes()))),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::unfinished_session_test
