// Several conveyors in use at the same time.
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

#include <boxcar/conveyor.hpp>

#include "support/by_name.hpp"
#include "support/conveyor_setup.hpp"
#include "support/random_program.hpp"
#include "support/run_on.hpp"
#include "support/simple_loops.hpp"

namespace boxcar::test::several_conveyors_test {
namespace {

class typed_conveyors : public testing::TestWithParam<conveyor_setup> {};

// Figure 4 of conveyors-2019: a conveyor carries questions, another the answers; a question without
// room for its answer is put back.
TEST_P(typed_conveyors, gather_by_index) {
  struct packet {
    std::int64_t slot;
    std::int64_t value;
  };
  conveyor_options options = GetParam().options;
  if (options.buffer_bytes != 0) options.buffer_bytes = 4 * sizeof(packet);
  run_on(GetParam().shape, [&](world& w) {
    const int pes = w.size();
    const int questions = pes > 32 ? 100 : 1000;
    const auto value_of = [](std::int64_t index) { return index * index + 7; };
    dice d(program_seed(static_cast<std::uint64_t>(w.rank())));
    std::vector<std::int64_t> index(static_cast<std::size_t>(questions));
    for (auto& i : index) i = d.below(1000 * pes);
    std::vector<std::int64_t> gathered(index.size(), -1);

    conveyor<packet> q(w, options);
    conveyor<packet> r(w, options);
    const session sq = q.begin();
    const session sr = r.begin();
    std::size_t i = 0;
    packet p{};
    int from = -1;
    while (r.advance(!q.advance(i == index.size()))) {
      for (; i < index.size(); ++i) {
        p = {static_cast<std::int64_t>(i), index[i] / pes};
        if (!q.push(p, static_cast<int>(index[i] % pes))) break;
      }
      while (q.pull(p, from)) {
        p.value = value_of(p.value * pes + w.rank());
        if (!r.push(p, from)) {
          ASSERT_TRUE(q.unpull());
          break;
        }
      }
      while (r.pull(p)) gathered[static_cast<std::size_t>(p.slot)] = p.value;
    }
    for (std::size_t k = 0; k < index.size(); ++k) ASSERT_EQ(gathered[k], value_of(index[k]));
  });
}

// Items hop from conveyor to conveyor; each conveyor is complete only after its predecessor.
TEST_P(typed_conveyors, form_a_pipeline) {
  constexpr int stages = 3;
  conveyor_options options = GetParam().options;
  if (options.buffer_bytes != 0) options.buffer_bytes = 4 * sizeof(int);
  run_on(GetParam().shape, [&](world& w) {
    std::vector<conveyor<int>> line;
    for (int i = 0; i < stages; ++i) line.emplace_back(w, options);
    const session s0 = line[0].begin();
    const session s1 = line[1].begin();
    const session s2 = line[2].begin();
    const int items = 300;
    int left = items;
    int arrived = 0;
    bool done[stages + 1] = {};
    while (!done[stages]) {
      done[0] = left == 0;
      for (std::size_t i = 0; i < stages; ++i) done[i + 1] = !line[i].advance(done[i]);
      while (left > 0 && line[0].push(left, left % w.size())) --left;
      for (std::size_t i = 0; i + 1 < stages; ++i) {
        int item = 0;
        while (line[i].pull(item)) {
          if (line[i + 1].push(item, (w.rank() + item) % w.size())) continue;
          EXPECT_TRUE(line[i].unpull());
          break;
        }
      }
      while (line[stages - 1].pull_pointer() != nullptr) ++arrived;
    }
    EXPECT_EQ(w.reduce(arrived), items * w.size());
  });
}

INSTANTIATE_TEST_SUITE_P(contract, typed_conveyors,
                         testing::ValuesIn(varied_setups(all_shapes(), is_fixed_size)), by_name{});

class several_conveyors : public testing::TestWithParam<conveyor_setup> {};

// Two random programs run on two conveyors; the second program begins later and ends earlier.
TEST_P(several_conveyors, do_not_disturb_one_another) {
  const conveyor_setup& setup = GetParam();
  ledger first_book(setup.shape.pes, 1);
  ledger second_book(setup.shape.pes, 2);
  conveyor_setup other_setup{setup.shape, "other", {}, 24};
  other_setup.elastic = !setup.elastic;
  run_on(setup.shape, [&](world& w) {
    checked_conveyor first(w, setup, first_book);
    checked_conveyor second(w, other_setup, second_book);
    for (const traffic pattern : {traffic::uniform, traffic::to_one, traffic::bursts}) {
      const auto seed = program_seed(static_cast<std::uint64_t>(pattern));
      first.in_session([&] {
        random_player a(w, first, {seed, pattern, items_for(setup, 60)});
        a.round();
        second.in_session([&] {
          random_player b(w, second, {scramble(seed), pattern, 20});
          for (bool more = true; more;) {
            const bool more_a = a.round();
            more = b.round() || more_a;
          }
          b.after_the_end();
        });
        a.after_the_end();
      });
    }
  });
}

INSTANTIATE_TEST_SUITE_P(contract, several_conveyors,
                         testing::ValuesIn(varied_setups(all_shapes())), by_name{});

}  // namespace
}  // namespace boxcar::test::several_conveyors_test
