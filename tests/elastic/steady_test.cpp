// Steady progress (conveyors-2019, section 3.6) of items of every size: all are delivered as long
// as all PEs keep calling advance and pull, also if nothing more is pushed until they are.
#include <gtest/gtest.h>

#include "elastic/checked_elastic.hpp"
#include "support/by_name.hpp"
#include "support/run_on.hpp"

namespace boxcar::test {
namespace {

constexpr std::size_t monster = 9000;

std::vector<elastic_setup> steady_setups() {
  std::vector<elastic_setup> setups = varied_elastic_setups(elastic_shapes());
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

// One item goes round; nobody pushes before it has come.
TEST_P(elastic_steady, a_chain_goes_on) {
  in_session([](checked_elastic& c) {
    constexpr int rounds = 8;
    int arrived = 0;
    int to_forward = c.rank() == 0 ? 1 : 0;
    while (c.advance(arrived == rounds && to_forward == 0)) {
      if (to_forward > 0 && c.push((c.rank() + 1) % c.size())) --to_forward;
      while (c.pull()) {
        ++arrived;
        const bool chain_ends = c.rank() == 0 && arrived == rounds;
        if (!chain_ends) ++to_forward;
      }
    }
  });
}

// Everybody has received everything before anybody declares the end.
TEST_P(elastic_steady, everything_arrives_before_the_endgame) {
  in_session([](checked_elastic& c) {
    constexpr int times = 7;
    const auto expected = static_cast<std::uint64_t>(times * c.size());
    int left = times * c.size();
    while (c.advance(left == 0 && c.pulled() == expected)) {
      while (left > 0 && c.push(left % c.size())) --left;
      c.pull_all();
    }
  });
}

INSTANTIATE_TEST_SUITE_P(elastic, elastic_steady, testing::ValuesIn(steady_setups()), by_name{});

}  // namespace
}  // namespace boxcar::test
