// Tests of the contract as properties, on random programs: every item arrives exactly once and in
// order per pair, the states and return values are as in the contract after every operation, no PE
// is working once any PE is in cleanup, and illegal operations change nothing. `checked_conveyor`
// checks the properties.
#include <gtest/gtest.h>

#include "support/by_name.hpp"
#include "support/conveyor_setup.hpp"
#include "support/random_program.hpp"
#include "support/run_on.hpp"

namespace boxcar::test::random_programs_test {
namespace {

class random_programs : public testing::TestWithParam<conveyor_setup> {
 protected:
  // One session for each traffic pattern, on the same conveyor, which is thereby used again.
  void play_all(std::uint64_t number, int items, bool pauses) {
    const conveyor_setup& setup = GetParam();
    const std::uint64_t seed = program_seed(number);
    RecordProperty("seed", std::to_string(seed));
    ledger book(setup.shape.pes);
    run_on(setup.shape, [&](world& w) {
      checked_conveyor c(w, setup, book);
      for (const traffic pattern : all_traffic()) {
        const program p{scramble_all({seed, static_cast<std::uint64_t>(pattern)}), pattern, items,
                        pauses, pauses};
        play(w, c, p);
      }
    });
    if (HasFailure()) GTEST_LOG_(ERROR) << "GTEST_RANDOM_SEED=" << GTEST_FLAG_GET(random_seed);
  }
};

TEST_P(random_programs, keep_the_contract) {
  play_all(1, items_for(GetParam(), 150), false);
}

TEST_P(random_programs, keep_the_contract_with_pauses) {
  play_all(2, items_for(GetParam(), 15), true);
}

INSTANTIATE_TEST_SUITE_P(contract, random_programs, testing::ValuesIn(varied_setups(all_shapes())),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::random_programs_test
