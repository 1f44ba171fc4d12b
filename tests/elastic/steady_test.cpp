// Steady progress (conveyors-2019, section 3.6) of items of every size.
#include <gtest/gtest.h>

#include "elastic/checked_elastic.hpp"
#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/steady_programs.hpp"

namespace boxcar::test::steady_test {
namespace {

constexpr std::size_t monster = 9000;

std::vector<elastic_setup> steady_setups() {
  std::vector<elastic_setup> setups = varied_elastic_setups(several_shapes());
  for (elastic_setup& setup : setups) setup.options.steady = true;
  return setups;
}

class elastic_steady : public testing::TestWithParam<elastic_setup> {
 protected:
  void in_session(const std::function<void(checked_elastic&)>& body) {
    ledger book(GetParam().shape.pes);
    run_on(GetParam().shape, [&](world& w) {
      checked_elastic c(w, monster, GetParam().options, book, {0, 1, monster, 6, 20});
      c.in_session([&] { body(c); });
    });
  }
};

TEST_P(elastic_steady, a_chain_goes_on) {
  in_session([](checked_elastic& c) { send_one_item_round(c, 8); });
}

TEST_P(elastic_steady, everything_arrives_before_the_endgame) {
  in_session([](checked_elastic& c) { receive_all_before_the_endgame(c); });
}

INSTANTIATE_TEST_SUITE_P(elastic, elastic_steady, testing::ValuesIn(steady_setups()), by_name{});

}  // namespace
}  // namespace boxcar::test::steady_test
