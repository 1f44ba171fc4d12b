// Tests of every illegal operation in every state: the operation throws, names itself and the
// state, and changes nothing; the session then completes as if there had been no operation.
#include <climits>
#include <gtest/gtest.h>

#include <boxcar/error.hpp>

#include "biconveyor/checked_biconveyor.hpp"
#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::illegal_operations_test {
namespace {

class biconveyor_illegal_operations : public testing::TestWithParam<biconveyor_setup> {
 protected:
  static void call(any_biconveyor& c, operation op) {
    std::vector<std::byte> item(1000);
    switch (op) {
      case operation::begin:
        return c.in_session([](auto, auto) {}, [] {});
      case operation::push:
        return static_cast<void>(c.push(item, 0));
      case operation::pull:
      case operation::pull_pointer:  // there is only one sort of pull
        return static_cast<void>(c.pull(item));
      case operation::unpull:
        return;  // there is none
      case operation::advance:
        return static_cast<void>(c.advance(false));
      case operation::advance_done:
        return static_cast<void>(c.advance(true));
      case operation::reset:
        return c.reset();
    }
  }

  static void refuse_all(checked_biconveyor& c) {
    for (const operation op : illegal_operations(c.state())) {
      if (op == operation::unpull) continue;
      const std::string text = thrown_by<contract_error>([&] { call(c.unchecked(), op); });
      expect_mentions(
          text, {name_of(op), std::string("while the conveyor is ") + boxcar::name_of(c.state())});
      EXPECT_EQ(c.unchecked().state(), c.state());
    }
  }
};

TEST_P(biconveyor_illegal_operations, are_refused_in_every_state) {
  ledger book(GetParam().shape.pes);
  run_on(GetParam().shape, [&](world& w) {
    checked_biconveyor c(w, GetParam().sizes, GetParam().options, book);
    refuse_all(c);  // dormant
    c.in_session([&] {
      refuse_all(c);  // working
      int left = 100;
      while (c.state() == conveyor_state::working) {
        while (left > 0 && c.push(left % c.size())) --left;
        c.advance(left == 0);
      }
      while (c.state() == conveyor_state::endgame) {
        refuse_all(c);
        c.advance(true);
      }
      while (c.state() == conveyor_state::cleanup) {
        refuse_all(c);
        for (int i = 0; i < 30; ++i) c.pull();
        c.advance(true);
      }
      refuse_all(c);
      c.reset();
      refuse_all(c);  // dormant, but still in the scope of the session
    });
    refuse_all(c);
  });
}

// A push is refused for the state rather than for its destination.
TEST_P(biconveyor_illegal_operations, come_before_wrong_destinations) {
  ledger book(GetParam().shape.pes);
  run_on(GetParam().shape, [&](world& w) {
    checked_biconveyor c(w, GetParam().sizes, GetParam().options, book);
    const std::vector<std::byte> query(GetParam().sizes.query);
    const auto push_to = [&](int pe) { return [&, pe] { c.unchecked().push(query, pe); }; };
    const std::initializer_list<int> nowhere{-1, w.size(), w.size() + 1, INT_MAX, INT_MIN};
    for (const int pe : nowhere) thrown_by<contract_error>(push_to(pe));
    c.in_session([&] {
      c.push(0);
      for (const int pe : nowhere) {
        const std::string text = thrown_by<argument_error>(push_to(pe));
        expect_mentions(text, {"push to PE " + std::to_string(pe), std::to_string(w.size())});
      }
      c.finish();
      for (const int pe : nowhere) thrown_by<contract_error>(push_to(pe));
    });
  });
}

INSTANTIATE_TEST_SUITE_P(biconveyor, biconveyor_illegal_operations,
                         testing::ValuesIn(plain_biconveyor_setups(small_shapes())), by_name{});
INSTANTIATE_TEST_SUITE_P(tight_biconveyor, biconveyor_illegal_operations,
                         testing::ValuesIn(tight_biconveyor_setups(crowded_shapes())), by_name{});

}  // namespace
}  // namespace boxcar::test::illegal_operations_test
