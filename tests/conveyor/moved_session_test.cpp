// Tests of moved sessions: into members of classes, std::optional and containers.
#include <gtest/gtest.h>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <boxcar/biconveyor.hpp>
#include <boxcar/conveyor.hpp>
#include <boxcar/elastic_biconveyor.hpp>
#include <boxcar/elastic_conveyor.hpp>
#include <boxcar/error.hpp>
#include <boxcar/stream.hpp>

#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"
#include "support/world_shape.hpp"

namespace boxcar::test::moved_session_test {
namespace {

static_assert(std::is_move_assignable_v<session>);
static_assert(!std::is_copy_constructible_v<session>);

class moved_session : public testing::TestWithParam<world_shape> {};

// A client's class whose functions begin and end a session.
template <typename Conveyor>
class client {
 public:
  explicit client(Conveyor&& conveyor) : conveyor_(std::move(conveyor)) {}

  template <typename... Answer>
  void begin(Answer... answer) {
    open_ = conveyor_.begin(answer...);
  }
  void end() {
    while (conveyor_.advance(true)) {
    }
    open_.reset();
  }
  [[nodiscard]] conveyor_state state() const { return conveyor_.state(); }

 private:
  Conveyor conveyor_;
  std::optional<session> open_;
};

template <typename Conveyor, typename... Answer>
void run_sessions(client<Conveyor>&& first, Answer... answer) {
  for (int round = 0; round < 3; ++round) {
    first.begin(answer...);
    EXPECT_EQ(first.state(), conveyor_state::working);
    first.end();
    EXPECT_EQ(first.state(), conveyor_state::dormant);
  }
}

TEST_P(moved_session, is_a_member_of_a_class) {
  run_on(GetParam(), [](world& w) {
    run_sessions(client(conveyor<int>(w)));
    run_sessions(client(elastic_conveyor(w, 64)));
    using asked = biconveyor<int, int>;
    asked numbers(w);
    std::optional<session> open;
    for (int round = 0; round < 3; ++round) {
      open = numbers.begin([](int n) { return n; });
      while (numbers.advance(true)) {
      }
      open.reset();
      EXPECT_EQ(numbers.state(), conveyor_state::dormant);
    }
    elastic_biconveyor texts(w, 64, 64);
    for (int round = 0; round < 3; ++round) {
      open = texts.begin([](std::span<const std::byte>, std::vector<std::byte>&) {});
      while (texts.advance(true)) {
      }
      open.reset();
      EXPECT_EQ(texts.state(), conveyor_state::dormant);
    }
  });
}

TEST_P(moved_session, moves_together_with_its_conveyor) {
  run_on(GetParam(), [](world& w) {
    std::vector<client<conveyor<int>>> all;
    all.emplace_back(conveyor<int>(w));
    all.front().begin();
    for (int i = 0; i < 4; ++i) all.emplace_back(conveyor<int>(w));
    all.front().end();
    EXPECT_EQ(all.front().state(), conveyor_state::dormant);
  });
}

TEST_P(moved_session, is_kept_in_a_vector) {
  run_on(GetParam(), [](world& w) {
    std::vector<conveyor<int>> conveyors;
    std::vector<session> open;
    for (int i = 0; i < 5; ++i) {
      conveyors.emplace_back(w);
      open.push_back(conveyors.back().begin());
    }
    for (conveyor<int>& c : conveyors) {
      while (c.advance(true)) {
      }
    }
    open.clear();
    for (const conveyor<int>& c : conveyors) EXPECT_EQ(c.state(), conveyor_state::dormant);
  });
}

TEST_P(moved_session, does_nothing_once_it_was_moved_from) {
  run_on(GetParam(), [](world& w) {
    conveyor<int> c(w);
    std::optional<session> outer;
    {
      session inner = c.begin();
      outer = std::move(inner);
    }
    EXPECT_EQ(c.state(), conveyor_state::working);
    while (c.advance(true)) {
    }
    EXPECT_EQ(c.state(), conveyor_state::complete);
    outer.reset();
    EXPECT_EQ(c.state(), conveyor_state::dormant);
  });
}

TEST_P(moved_session, is_left_when_another_is_assigned) {
  run_on(GetParam(), [](world& w) {
    conveyor<int> first(w);
    conveyor<int> second(w);
    session open = first.begin();
    while (first.advance(true)) {
    }
    open = second.begin();
    EXPECT_EQ(first.state(), conveyor_state::dormant);
    EXPECT_EQ(second.state(), conveyor_state::working);
    while (second.advance(true)) {
    }
    second.reset();
    open = second.begin();  // the session before is over
    EXPECT_EQ(second.state(), conveyor_state::working);
    session& same = open;
    open = std::move(same);
    EXPECT_EQ(second.state(), conveyor_state::working);
    while (second.advance(true)) {
    }
  });
}

TEST_P(moved_session, of_a_stream_is_a_member_too) {
  run_on(GetParam(), [](world& w) {
    int handled = 0;
    stream<int> s(w, [&handled](int) { ++handled; });
    std::optional<session> open;
    for (int round = 1; round <= 3; ++round) {
      open = s.begin();
      s.send(round, (w.rank() + 1) % w.size());
      s.finish();
      open.reset();
      EXPECT_EQ(handled, round);
    }
    std::vector<session> several;
    several.push_back(s.begin());
    s.finish();
  });
}

// The assignment throws as the end of the scope would, and the new session stays in place.
TEST_P(moved_session, that_is_not_complete_is_not_assigned_over) {
  const world_report report = observe(GetParam(), [](world& w) {
    conveyor<int> first(w);
    conveyor<int> second(w);
    session open = first.begin();
    session next = second.begin();
    if (w.rank() == 0) open = std::move(next);
    while (first.advance(true)) {
    }
    first.reset();
    while (second.advance(true)) {
    }
  });
  EXPECT_TRUE(report.failed);
  EXPECT_EQ(report.pes[0].end, ending::contract_error) << report.pes[0].what;
  expect_mentions(report.pes[0].what, {"a session was left unfinished"});
}

INSTANTIATE_TEST_SUITE_P(contract, moved_session, testing::ValuesIn(small_shapes()), by_name{});

}  // namespace
}  // namespace boxcar::test::moved_session_test
