// Tests of random programs on conveyors of every sort: empty items, small items and monsters, from
// every PE to every PE, arrive exactly once, in order between each two PEs, with their content.
// `checked_elastic` checks them.
#include <algorithm>
#include <gtest/gtest.h>

#include "elastic/checked_elastic.hpp"
#include "support/by_name.hpp"
#include "support/dice.hpp"
#include "support/run_on.hpp"

namespace boxcar::test::random_items_test {
namespace {

constexpr std::size_t largest_item = std::size_t{1} << 20;

// The pattern of senders and receivers.
enum class flow { to_all, to_one, from_one, to_self };

class random_items : public testing::TestWithParam<elastic_setup> {
 protected:
  static int destination(flow f, int rank, int pes, dice& d) {
    switch (f) {
      case flow::to_one:
        return pes / 2;
      case flow::to_self:
        return rank;
      default:
        return d.below(pes);
    }
  }

  static void play(world& w, checked_elastic& c, flow f, int items, std::uint64_t seed) {
    dice d(scramble_all({seed, static_cast<std::uint64_t>(w.rank())}));
    int left = f == flow::from_one && w.rank() != 0 ? 0 : items;
    c.in_session([&] {
      while (c.advance(left == 0)) {
        for (int i = d.below(30); i > 0 && left > 0; --i) {
          if (!c.push(destination(f, w.rank(), w.size(), d))) break;
          --left;
        }
        for (int i = d.below(30); i > 0 && c.pull(std::size_t{1} << d.below(7)); --i) {
          if (d.chance(15)) c.unpull();
        }
        if (d.chance(5)) c.unpull();
      }
    });
  }
};

TEST_P(random_items, arrive_in_order_and_intact) {
  const elastic_setup& setup = GetParam();
  const int items = std::clamp(800 / setup.shape.pes, 60, 400);
  ledger book(setup.shape.pes);
  run_on(setup.shape, [&](world& w) {
    checked_elastic c(w, largest_item, setup.options, book);
    for (const flow f : {flow::to_all, flow::to_one, flow::from_one, flow::to_self}) {
      play(w, c, f, items, program_seed(static_cast<std::uint64_t>(f)));
    }
  });
}

INSTANTIATE_TEST_SUITE_P(elastic, random_items,
                         testing::ValuesIn(varied_elastic_setups(several_shapes())), by_name{});

}  // namespace
}  // namespace boxcar::test::random_items_test
