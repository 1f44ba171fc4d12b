// Tests of every illegal operation in every state: the operation throws, names itself and the
// state, and changes nothing; the session then completes as if there had been no operation.
#include <climits>
#include <gtest/gtest.h>

#include <boxcar/error.hpp>

#include "support/by_name.hpp"
#include "support/conveyor_setup.hpp"
#include "support/run_on.hpp"
#include "support/simple_loops.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::illegal_operations_test {
namespace {

class illegal_operations : public testing::TestWithParam<conveyor_setup> {};

TEST_P(illegal_operations, are_refused_in_every_state) {
  ledger book(GetParam().shape.pes);
  run_on(GetParam().shape, [&](world& w) {
    checked_conveyor c(w, GetParam(), book);
    c.refuse_all();  // dormant
    c.in_session([&] {
      c.refuse_all();  // working
      push_to_all(c);
      c.refuse_all();
      c.advance(w.rank() == 0);
      if (w.rank() == 0 && w.size() > 1) {
        EXPECT_EQ(c.state(), conveyor_state::endgame);
      }
      c.refuse_all();  // one PE in the endgame, the others working
      w.barrier();     // until now
      advance_to_cleanup(c);
      c.refuse_all();
      finish(c);
      EXPECT_EQ(c.state(), conveyor_state::complete);
      c.refuse_all();
      c.reset();
      c.refuse_all();  // dormant, but still in the scope of the session
    });
    c.refuse_all();
  });
}

// An illegal operation after a pull or an unpull could spoil the last item, too.
TEST_P(illegal_operations, leave_the_last_item_alone) {
  ledger book(GetParam().shape.pes);
  run_on(GetParam().shape, [&](world& w) {
    checked_conveyor c(w, GetParam(), book);
    c.in_session([&] {
      push_to_all(c);
      advance_to_cleanup(c);
      ASSERT_TRUE(c.pull(pull_way::pointer));
      c.refuse_all();
      ASSERT_TRUE(c.unpull());
      c.refuse_all();
      ASSERT_TRUE(c.pull());
      c.refuse_all();
      finish(c);
    });
  });
}

INSTANTIATE_TEST_SUITE_P(contract, illegal_operations,
                         testing::ValuesIn(plain_setups(small_shapes())), by_name{});

class destinations : public testing::TestWithParam<conveyor_setup> {};

TEST_P(destinations, out_of_range_are_refused) {
  ledger book(GetParam().shape.pes);
  run_on(GetParam().shape, [&](world& w) {
    checked_conveyor c(w, GetParam(), book);
    const std::vector<std::byte> item(GetParam().item_bytes);
    const auto push_to = [&](int pe) { return [&, pe] { c.unchecked().push(item, pe); }; };
    const std::initializer_list<int> nowhere{-1, w.size(), w.size() + 1, INT_MAX, INT_MIN};
    for (const int pe : nowhere) thrown_by<contract_error>(push_to(pe));
    c.in_session([&] {
      push_surely(c, 0);
      for (const int pe : nowhere) {
        const std::string text = thrown_by<argument_error>(push_to(pe));
        expect_mentions(text, {"push to PE " + std::to_string(pe), std::to_string(w.size())});
        EXPECT_EQ(c.state(), conveyor_state::working);
      }
      finish(c);
      for (const int pe : nowhere) thrown_by<contract_error>(push_to(pe));
    });
  });
}

INSTANTIATE_TEST_SUITE_P(contract, destinations, testing::ValuesIn(plain_setups(small_shapes())),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::illegal_operations_test
