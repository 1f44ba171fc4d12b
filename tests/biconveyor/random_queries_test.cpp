// Random programs on biconveyors of every kind, with queries and replies of many sizes:
// `checked_biconveyor` does the checking.
#include <algorithm>
#include <chrono>
#include <gtest/gtest.h>

#include "biconveyor/checked_biconveyor.hpp"
#include "support/by_name.hpp"
#include "support/dice.hpp"
#include "support/run_on.hpp"

namespace boxcar::test::random_queries_test {
namespace {

using namespace std::chrono_literals;

// The pattern of askers and asked PEs.
enum class flow { all_ask_all, all_ask_one, one_asks_all, some_ask_nothing, to_self, nothing };

class random_queries : public testing::TestWithParam<biconveyor_setup> {
 protected:
  static int questions(flow f, int rank, int n) {
    switch (f) {
      case flow::nothing:
        return 0;
      case flow::one_asks_all:
        return rank == 0 ? 2 * n : 0;
      case flow::some_ask_nothing:
        return rank % 2 * n;
      default:
        return n;
    }
  }

  static int whom(flow f, int rank, int pes, dice& d) {
    switch (f) {
      case flow::all_ask_one:
        return pes / 2;
      case flow::to_self:
        return rank;
      default:
        return d.below(pes);
    }
  }

  static void play(world& w, checked_biconveyor& c, flow f, int n, std::uint64_t seed) {
    dice d(scramble_all({seed, static_cast<std::uint64_t>(w.rank())}));
    int left = questions(f, w.rank(), n);
    c.in_session([&] {
      for (advance_result result = advance_result::ok; result != advance_result::done;) {
        result = c.advance(left == 0);
        if (result == advance_result::near && d.chance(30)) c.drain();
        for (int i = d.below(50); i > 0 && left > 0; --i) {
          if (!c.push(whom(f, w.rank(), w.size(), d))) break;
          --left;
        }
        for (int i = d.below(50); i > 0 && c.pull(); --i) {
        }
        if (d.chance(3)) w.sleep(std::chrono::microseconds(d.below(200)));
      }
    });
  }
};

TEST_P(random_queries, are_answered_once_and_in_order) {
  const biconveyor_setup& setup = GetParam();
  const int questions = std::clamp(800 / setup.shape.pes, 60, 400);
  ledger book(setup.shape.pes);
  run_on(setup.shape, [&](world& w) {
    checked_biconveyor c(w, setup.sizes, setup.options, book);
    for (const flow f : {flow::all_ask_all, flow::all_ask_one, flow::one_asks_all,
                         flow::some_ask_nothing, flow::to_self, flow::nothing}) {
      play(w, c, f, questions, program_seed(static_cast<std::uint64_t>(f)));
    }
  });
}

INSTANTIATE_TEST_SUITE_P(biconveyor, random_queries,
                         testing::ValuesIn(varied_biconveyor_setups(several_shapes())), by_name{});

// Runs queries with buffers for a single item.
using crowded_queries = random_queries;

TEST_P(crowded_queries, are_answered_once_and_in_order) {
  const biconveyor_setup& setup = GetParam();
  ledger book(setup.shape.pes);
  run_on(setup.shape, [&](world& w) {
    checked_biconveyor c(w, setup.sizes, setup.options, book);
    for (const flow f : {flow::all_ask_all, flow::all_ask_one}) {
      play(w, c, f, 200, program_seed(static_cast<std::uint64_t>(f) + 10));
    }
  });
}

INSTANTIATE_TEST_SUITE_P(biconveyor, crowded_queries,
                         testing::ValuesIn(tight_biconveyor_setups(small_shapes())), by_name{});

}  // namespace
}  // namespace boxcar::test::random_queries_test
