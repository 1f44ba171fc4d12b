// Tests of sessions apart from the loop: empty sessions, successive sessions, both ways to end a
// session; and memory held only during a session.
#include <gtest/gtest.h>

#include "support/by_name.hpp"
#include "support/conveyor_setup.hpp"
#include "support/run_on.hpp"
#include "support/simple_loops.hpp"

namespace boxcar::test::sessions_test {
namespace {

class sessions : public testing::TestWithParam<conveyor_setup> {
 protected:
  void on_world(const std::function<void(world&, checked_conveyor&)>& body) {
    ledger book(GetParam().shape.pes);
    run_on(GetParam().shape, [&](world& w) {
      checked_conveyor c(w, GetParam(), book);
      body(w, c);
    });
  }
};

TEST_P(sessions, may_be_absent) {
  on_world([](world&, checked_conveyor& c) { EXPECT_EQ(c.state(), conveyor_state::dormant); });
}

TEST_P(sessions, may_be_empty) {
  on_world([](world&, checked_conveyor& c) {
    for (int session = 0; session < 3; ++session) {
      c.in_session([&] { finish(c); });
    }
  });
}

TEST_P(sessions, follow_one_another) {
  on_world([](world&, checked_conveyor& c) {
    for (int session = 0; session < 10; ++session) {
      c.in_session([&] {
        push_to_all(c, session % 4);
        finish(c);
      });
    }
  });
}

TEST_P(sessions, end_by_reset_or_by_leaving_the_scope) {
  on_world([](world&, checked_conveyor& c) {
    for (int session = 0; session < 4; ++session) {
      c.in_session([&] {
        push_to_all(c);
        finish(c);
        if (session % 2 == 0) {
          c.reset();
          c.reset();  // no effect while dormant
        }
      });
      c.reset();
    }
  });
}

// An exception may concern one PE only, so a complete conveyor stays unchanged.
TEST_P(sessions, end_by_reset_after_an_exception) {
  run_on(GetParam().shape, [&](world& w) {
    struct something {};
    const auto c = make_conveyor(w, GetParam());
    for (int session = 0; session < 3; ++session) {
      const auto complete_and_throw = [&] {
        while (c->advance(true)) {
        }
        throw something{};
      };
      EXPECT_THROW(c->in_session(complete_and_throw), something);
      EXPECT_EQ(c->state(), conveyor_state::complete);
      c->reset();
    }
  });
}

TEST_P(sessions, mix_with_collectives_of_the_world) {
  on_world([](world& w, checked_conveyor& c) {
    c.in_session([&] {
      w.barrier();
      push_to_all(c);
      EXPECT_EQ(w.reduce(1), w.size());
      finish(c);
      EXPECT_EQ(w.broadcast(w.rank(), w.size() - 1), w.size() - 1);
    });
  });
}

INSTANTIATE_TEST_SUITE_P(contract, sessions, testing::ValuesIn(plain_setups(small_shapes())),
                         by_name{});

class dynamic_memory : public testing::TestWithParam<conveyor_setup> {};

TEST_P(dynamic_memory, is_held_during_sessions_only) {
  ledger book(GetParam().shape.pes);
  conveyor_setup setup = GetParam();
  setup.options.dynamic_memory = true;
  run_on(GetParam().shape, [&](world& w) {
    checked_conveyor c(w, setup, book);
    const auto held = [&] { return c.unchecked().session_statistics().memory_bytes; };
    const std::size_t before = held();
    for (int session = 0; session < 3; ++session) {
      c.in_session([&] {
        EXPECT_GT(held(), before);
        push_to_all(c);
        finish(c);
      });
      EXPECT_EQ(held(), before);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(contract, dynamic_memory, testing::ValuesIn(plain_setups(small_shapes())),
                         by_name{});

// Pushes to a PE fail while no item is pulled there for a while; later everything arrives.
class full_buffers : public testing::TestWithParam<conveyor_setup> {};

TEST_P(full_buffers, make_pushes_fail_until_there_is_room) {
  conveyor_setup setup = GetParam();
  if (setup.options.buffer_bytes == 0) setup.options.buffer_bytes = 10 * setup.item_bytes + 64;
  ledger book(setup.shape.pes);
  run_on(setup.shape, [&](world& w) {
    checked_conveyor c(w, setup, book);
    c.in_session([&] {
      constexpr int far_too_many = 100'000;
      int pushed = 0;
      while (pushed < far_too_many && c.push(0)) ++pushed;
      EXPECT_LT(pushed, far_too_many);
      w.barrier();
      push_to_all(c, 3);
      finish(c);
    });
  });
}

INSTANTIATE_TEST_SUITE_P(contract, full_buffers, testing::ValuesIn(varied_setups(small_shapes())),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::sessions_test
