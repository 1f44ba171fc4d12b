// Tests of every illegal operation in every state: the operation throws, names itself and the
// state, and changes nothing; the session then completes as if there had been no operation.
#include <gtest/gtest.h>

#include <boxcar/error.hpp>

#include "elastic/checked_elastic.hpp"
#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::illegal_operations_test {
namespace {

constexpr std::size_t monster = 3000;

class elastic_illegal_operations : public testing::TestWithParam<elastic_setup> {
 protected:
  static void call(elastic_conveyor& c, operation op) {
    static const std::vector<std::byte> large(monster);
    switch (op) {
      case operation::begin:
        return static_cast<void>(c.begin());
      case operation::push:
        return static_cast<void>(c.push(large, 0));
      case operation::pull:
        return static_cast<void>(c.pull());
      case operation::pull_pointer:  // there is only one sort of pull; here with a copy
        return static_cast<void>(c.pull(64));
      case operation::unpull:
        return static_cast<void>(c.unpull());
      case operation::advance:
        return static_cast<void>(c.advance(false));
      case operation::advance_done:
        return static_cast<void>(c.advance(true));
      case operation::reset:
        return c.reset();
    }
  }

  static void refuse_all(checked_elastic& c) {
    for (const operation op : illegal_operations(c.state())) {
      const std::string text = thrown_by<contract_error>([&] { call(c.unchecked(), op); });
      expect_mentions(text, {name_of(op), boxcar::name_of(c.state())});
      EXPECT_EQ(c.unchecked().state(), c.state());
    }
  }
};

TEST_P(elastic_illegal_operations, are_refused_in_every_state) {
  ledger book(GetParam().shape.pes);
  run_on(GetParam().shape, [&](world& w) {
    checked_elastic c(w, monster, GetParam().options, book, {0, 5, monster});
    refuse_all(c);  // dormant
    c.in_session([&] {
      refuse_all(c);                                     // working
      for (int pe = 0; pe < w.size(); ++pe) c.push(pe);  // or not: there may be no room
      refuse_all(c);
      c.advance(w.rank() == 0);
      refuse_all(c);  // one PE in the endgame, the others working
      w.barrier();    // until now
      while (c.state() != conveyor_state::complete) {
        c.advance(true);
        refuse_all(c);  // endgame and cleanup
        if (c.pull()) {
          refuse_all(c);
          c.unpull();
          refuse_all(c);
          c.pull();
        }
      }
      refuse_all(c);
      c.reset();
      refuse_all(c);  // dormant, but still in the scope of the session
    });
    refuse_all(c);
  });
}

INSTANTIATE_TEST_SUITE_P(elastic, elastic_illegal_operations,
                         testing::ValuesIn(plain_elastic_setups(small_shapes())), by_name{});

}  // namespace
}  // namespace boxcar::test::illegal_operations_test
