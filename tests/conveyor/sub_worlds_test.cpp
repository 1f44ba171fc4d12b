// Conveyors over parts of a world.
#include <gtest/gtest.h>
#include <optional>
#include <vector>

#include "support/by_name.hpp"
#include "support/conveyor_setup.hpp"
#include "support/random_program.hpp"
#include "support/run_on.hpp"
#include "support/simple_loops.hpp"

namespace boxcar::test::sub_worlds_test {
namespace {

class sub_worlds : public testing::TestWithParam<conveyor_setup> {
 protected:
  // The ranks in `w` of the PEs of its subworld, in the order of their ranks there.
  static std::vector<int> members_of(const world& w, world& part) {
    return part.all_gather(w.rank());
  }

  void play_on(world& part, std::vector<int> members, ledger& book, std::uint64_t number) {
    checked_conveyor c(part, for_size(part.size(), GetParam()), book, std::move(members));
    for (const traffic pattern : {traffic::uniform, traffic::from_one, traffic::nothing}) {
      play(part, c, {program_seed(number), pattern, items_for(GetParam(), 40)});
    }
  }
};

TEST_P(sub_worlds, work_side_by_side) {
  for (const int parts : {2, 3}) {
    ledger book(GetParam().shape.pes);
    run_on(GetParam().shape, [&](world& w) {
      const int color = w.rank() % parts;
      std::optional<world> part = w.split(color, -w.rank());
      ASSERT_TRUE(part.has_value());
      play_on(*part, members_of(w, *part), book, static_cast<std::uint64_t>(color));
    });
  }
}

TEST_P(sub_worlds, need_not_hold_every_pe) {
  ledger book(GetParam().shape.pes);
  run_on(GetParam().shape, [&](world& w) {
    std::optional<world> part = w.split(w.rank() == 0 && w.size() > 1 ? -1 : 0);
    if (part.has_value()) play_on(*part, members_of(w, *part), book, 7);
    w.barrier();
  });
}

TEST_P(sub_worlds, work_after_the_whole_is_gone) {
  ledger book(GetParam().shape.pes);
  run_on(GetParam().shape, [&](world& w) {
    std::optional<world> part = w.split(w.rank() / 2);
    const std::vector<int> members = members_of(w, *part);
    { [[maybe_unused]] const world gone = std::move(w); }
    play_on(*part, members, book, 8);
  });
}

// Every PE serves two conveyors in a loop, over the whole world and over its subworld.
TEST_P(sub_worlds, work_together_with_the_whole) {
  ledger whole_book(GetParam().shape.pes, 1);
  ledger part_book(GetParam().shape.pes, 2);
  run_on(GetParam().shape, [&](world& w) {
    std::optional<world> part = w.split(w.rank() % 2);
    checked_conveyor whole(w, GetParam(), whole_book);
    checked_conveyor mine(*part, for_size(part->size(), GetParam()), part_book,
                          members_of(w, *part));
    for (const traffic pattern : {traffic::uniform, traffic::to_one}) {
      const auto seed = program_seed(static_cast<std::uint64_t>(pattern));
      whole.in_session([&] {
        mine.in_session([&] {
          random_player a(w, whole, {seed, pattern, items_for(GetParam(), 40)});
          random_player b(*part, mine, {scramble(seed), pattern, items_for(GetParam(), 40)});
          for (bool more = true; more;) {
            const bool more_a = a.round();
            more = b.round() || more_a;
          }
        });
      });
    }
  });
}

INSTANTIATE_TEST_SUITE_P(contract, sub_worlds, testing::ValuesIn(varied_setups(all_shapes())),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::sub_worlds_test
