// Collectives that functions of the world start give the results of serial code on every substrate,
// with other memory at every start, any number at once, in any order of their ends.
#include "collective/started_collective.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <boxcar/collective.hpp>
#include <boxcar/collective_run.hpp>
#include <boxcar/error.hpp>
#include <boxcar/window.hpp>

#include "collective/short_pieces.hpp"
#include "support/by_name.hpp"
#include "support/on_shapes.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::started_collective_test {
namespace {

class started_collectives : public testing::TestWithParam<world_shape> {
 protected:
  static void on_all(const std::function<void(world&)>& body) { run_on(GetParam(), body); }
};

collective_case case_of_equal_lengths(dice& d, collective_operation kind, topology over, int pes) {
  collective_case c = random_case(d, kind, over, pes);
  std::ranges::fill(c.lengths, c.lengths.front());
  return c;
}

// Runs of all kinds, some of the same kind, are waited for in a random order, which differs between
// PEs.
TEST_P(started_collectives, give_what_serial_code_gives) {
  on_all([](world& w) {
    using started = started_case<std::int64_t, std::plus<>>;
    using started_in_order = started_case<affine, then>;
    dice d(program_seed(0));
    dice own(program_seed(1 + static_cast<std::uint64_t>(w.rank())));
    for (const collective_operation kind : all_kinds()) {
      for (const topology over : {topology::automatic, detail::topologies_for(kind).front()}) {
        const collective_case c = case_of_equal_lengths(d, kind, over, w.size());
        std::vector<std::unique_ptr<started>> sums;
        std::vector<std::unique_ptr<started_in_order>> others;
        const int at_once = 1 + d.below(7);
        for (int i = 0; i < at_once; ++i) {
          sums.push_back(std::make_unique<started>(w, c, std::plus<>{}, 17, d.next()));
          others.push_back(
              std::make_unique<started_in_order>(w, c, then{}, affine{3, 4}, d.next()));
        }
        std::vector<std::size_t> order(sums.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        for (std::size_t i = order.size(); i > 1; --i) {
          std::swap(order[i - 1], order[static_cast<std::size_t>(own.below(static_cast<int>(i)))]);
        }
        for (const std::size_t i : order) {
          while (own.chance(50) && !others[i]->run().test()) {
          }
          others[i]->run().wait();
          others[i]->check();
          sums[i]->run().wait();
          sums[i]->check();
        }
      }
    }
    w.barrier();
  });
}

TEST_P(started_collectives, of_long_arrays) {
  if (GetParam().pes > 8) return;  // more PEs show the same in much more time
  on_all([](world& w) {
    dice d(program_seed(1));
    for (const collective_operation kind : all_kinds()) {
      collective_case c = random_case(d, kind, topology::automatic, w.size());
      c.options.segment_bytes = 0;
      std::ranges::fill(c.lengths, std::size_t{12'001});
      using started = started_case<std::int64_t, maximum>;
      std::vector<std::unique_ptr<started>> all;
      for (int i = 0; i < 3; ++i) {
        all.push_back(std::make_unique<started>(w, c, maximum{}, -1, d.next()));
      }
      for (const auto& one : all) {
        one->run().wait();
        one->check();
      }
    }
    w.barrier();
  });
}

// Some elements divide no piece, and each channel carries many pieces of a call.
TEST_P(started_collectives, of_arrays_in_pieces) {
  if (GetParam().pes > 8) return;  // more PEs show the same in much more time
  const short_pieces pieces;
  on_all([](world& w) {
    dice d(program_seed(2));
    for (const collective_operation kind : all_kinds()) {
      collective_case c = random_case(d, kind, topology::automatic, w.size());
      c.options.segment_bytes = 0;
      std::ranges::fill(c.lengths, std::size_t{1'001});
      using started = started_case<std::int64_t, maximum>;
      using started_in_order = started_case<affine, then>;
      std::vector<std::unique_ptr<started>> all;
      for (int i = 0; i < 3; ++i) {
        all.push_back(std::make_unique<started>(w, c, maximum{}, -1, d.next()));
      }
      started_in_order other(w, c, then{}, affine{3, 4}, d.next());
      while (!other.run().test()) {
      }
      other.check();
      for (const auto& one : all) {
        one->run().wait();
        one->check();
      }
    }
    w.barrier();
  });
}

// The inputs were read at the starts: what becomes of their memory afterwards counts for nothing.
TEST_P(started_collectives, of_overlapping_and_dropped_arrays_in_pieces) {
  if (GetParam().pes > 8) return;
  const short_pieces pieces;
  on_all([](world& w) {
    constexpr int n = 2'000;
    for (int round = 0; round < 3; ++round) {
      std::vector<int> both(n + 100);
      std::iota(both.begin(), both.end(), w.rank());
      const auto mine = std::span(both).first(n);
      const auto result = std::span(both).subspan(100, n);
      collective_run sum = w.all_reduce_async(mine, result);
      std::vector<int> separate(n, w.rank()), total(n);
      {
        std::vector<int> dropped = separate;
        collective_run run = w.all_reduce_async(std::span(dropped), std::span(dropped));
      }
      collective_run other = w.all_reduce_async(std::span(separate), std::span(total));
      std::ranges::fill(separate, -1);
      other.wait();
      sum.wait();
      const int ranks = w.size() * (w.size() - 1) / 2;
      EXPECT_EQ(total, std::vector<int>(n, ranks));
      for (int i = 0; i < n; ++i) {
        ASSERT_EQ(result[static_cast<std::size_t>(i)], ranks + i * w.size());
      }
    }
    w.barrier();
  });
}

// A start does not wait after the first start of its kind.
TEST_P(started_collectives, wait_for_nobody) {
  on_all([](world& w) {
    std::vector<int> values(3);
    w.broadcast_async(std::span(values), 0).wait();
    for (int round = 1; round <= 3; ++round) {
      if (w.rank() == 0) {
        values.assign(3, round);
        collective_run one = w.broadcast_async(std::span(values), 0);
        w.barrier();  // other PEs come here before their starts
        one.wait();
      } else {
        w.barrier();
        w.broadcast_async(std::span(values), 0).wait();
      }
      EXPECT_EQ(values[2], round);
    }
    w.barrier();
  });
}

// The first PE starts any collectives; the other PEs come to their starts by an action of the first
// PE afterwards. No object exists yet, more runs are started than proceed at once, and of more
// kinds than are kept.
TEST_P(started_collectives, are_started_before_others_come) {
  if (GetParam().pes > 4) return;  // more PEs show the same in much more time
  on_all([](world& w) {
    window<std::int64_t> go(w, 1);
    std::vector<collective_run> runs;
    std::vector<std::int64_t> sums;
    std::vector<std::vector<int>> longer;
    const auto start_all = [&](int round) {
      const std::size_t kinds = round == 0 ? 1 : 70;
      sums.assign(6, 1);
      for (std::int64_t& sum : sums) {
        runs.push_back(w.all_reduce_async(std::span(&sum, 1), std::span(&sum, 1)));
      }
      longer.clear();
      for (std::size_t n = 1; n <= kinds; ++n) longer.emplace_back(n, round);
      for (auto& values : longer) runs.push_back(w.broadcast_async(std::span(values), 0));
    };
    for (int round = 0; round < 2; ++round) {
      if (w.rank() == 0) {
        start_all(round);
        for (int pe = 1; pe < w.size(); ++pe) go.put(std::int64_t{round} + 1, pe, 0);
        go.flush();
      } else {
        while (go.load(w.rank(), 0) <= round) w.idle();
        start_all(round);
      }
      for (collective_run& run : runs) run.wait();
      runs.clear();
      EXPECT_EQ(sums, std::vector<std::int64_t>(6, w.size()));
      for (const auto& values : longer) EXPECT_EQ(values.back(), round);
      w.barrier();
    }
  });
}

// The first object of a world is made behind all earlier starts, whether a PE has waited for the
// runs or not.
TEST_P(started_collectives, come_before_the_first_object) {
  on_all([](world& w) {
    std::vector<int> sum{1};
    collective_run run = w.all_reduce_async(std::span(sum), std::span(sum));
    const bool waits_first = w.rank() % 2 == 0;
    if (waits_first) run.wait();
    window<int> data(w, 1);
    data.local()[0] = w.rank();
    if (!waits_first) run.wait();
    EXPECT_EQ(sum[0], w.size());
    w.barrier();
  });
}

// A blocking collective comes behind earlier starts in the same world; in another world, a blocking
// collective does not wait for the starts.
TEST_P(started_collectives, go_on_beside_what_blocks) {
  on_all([](world& w) {
    auto other = w.split(0, -w.rank());
    for (std::size_t n = 1; n <= 4; ++n) {
      std::vector<int> sum(n, 1);
      const bool is_first = (static_cast<std::size_t>(w.rank()) + n) % 2 == 0;
      collective_run run = w.all_reduce_async(std::span(sum), std::span(sum));
      if (is_first) run.wait();
      const window<int> made(*other, 1);
      other->barrier();
      EXPECT_EQ(other->reduce(1), w.size());
      if (!is_first) run.wait();
      EXPECT_EQ(sum.back(), w.size());
      std::vector<int> all(n * static_cast<std::size_t>(w.size()));
      static_cast<void>(w.all_gather_async(std::span(sum), std::span(all)));
      EXPECT_EQ(w.reduce(1), w.size());
    }
  });
}

// Each run has its own function, though all functions are of the same type.
TEST_P(started_collectives, combine_by_the_function_of_the_run) {
  on_all([](world& w) {
    for (const std::size_t n : {std::size_t{2}, std::size_t{5000}}) {
      for (int factor = 1; factor <= 6; ++factor) {
        const std::vector<affine> mine(n, affine{1, 1});
        std::vector<affine> all(n);
        const auto combine = [factor](const affine& a, const affine& b) {
          return affine{1, a.b + b.b + static_cast<std::uint32_t>(factor)};
        };
        w.all_reduce_async(std::span(mine), std::span(all), combine).wait();
        EXPECT_EQ(all[n - 1].b, static_cast<std::uint32_t>(w.size() + factor * (w.size() - 1)));
      }
    }
    w.barrier();
  });
}

// `first` may differ between runs, and have padding with any bytes.
TEST_P(started_collectives, scan_from_any_first) {
  on_all([](world& w) {
    for (const topology over : {topology::automatic, topology::chain}) {
      for (int run = 0; run < 6; ++run) {
        const std::vector<long double> mine(3, 1.0L);
        std::vector<long double> sums(3);
        w.exclusive_scan_async(std::span(mine), std::span(sums), 0.5L + run, std::plus<>{},
                               {.over = over})
            .wait();
        EXPECT_EQ(sums[2], 0.5L + run + w.rank());
      }
    }
    const std::vector<long double> mine(1, 1.0L);
    std::vector<long double> sum(1);
    collective scan = collectives(w).exclusive_scan(std::span(mine), std::span(sum), 2.0L);
    scan.start();
    scan.wait();
    EXPECT_EQ(sum[0], 2.0L + w.rank());
    w.barrier();
  });
}

// The program uses more kinds than are kept.
TEST_P(started_collectives, of_many_kinds) {
  if (GetParam().pes > 4) return;  // more PEs show the same in much more time
  on_all([](world& w) {
    for (int round = 0; round < 2; ++round) {
      for (std::size_t n = 0; n < (round == 0 ? 70 : 3); ++n) {
        std::vector<int> sum(n, w.rank() + round);
        w.all_reduce_async(std::span(sum), std::span(sum)).wait();
        EXPECT_EQ(std::ranges::count(sum, w.size() * (w.size() - 1) / 2 + round * w.size()),
                  std::ssize(sum));
      }
    }
    w.barrier();
  });
}

// A run without a waiting PE goes on for the other PEs, and leaves the PE's memory alone.
TEST_P(started_collectives, may_be_forgotten) {
  on_all([](world& w) {
    dice d(program_seed(static_cast<std::uint64_t>(w.rank())));
    for (const std::size_t n : {std::size_t{1}, std::size_t{6000}}) {
      for (int round = 1; round <= 20; ++round) {
        std::vector<int> sum(n, round);
        {
          collective_run run = w.all_reduce_async(std::span(sum), std::span(sum));
          if (d.chance(50)) {
            std::ranges::fill(sum, -1);
            run = w.barrier_async();
            if (d.chance(50)) run.wait();
          } else {
            run.wait();
            collective_run barrier = w.barrier_async();
            if (d.chance(50)) std::swap(run, barrier);
          }
        }
        EXPECT_TRUE(sum[n - 1] == round * w.size() || sum[n - 1] == -1);
      }
    }
  });
}

// The exception of a function is thrown at the PE's wait for the end of the run, and no PE hangs.
TEST_P(started_collectives, pass_on_what_functions_throw) {
  if (GetParam().pes == 1) return;  // has nothing to combine
  on_all([](world& w) {
    std::vector<affine> values(100);  // some for each to combine
    const auto run = [&] {
      const auto throws = [](const affine&, const affine&) -> affine {
        throw std::runtime_error("no more paper");
      };
      w.all_reduce_async(std::span(values), std::span(values), throws,
                         {.over = topology::pairwise, .by_node = false})
          .wait();
    };
    w.barrier_async().wait();
    EXPECT_EQ(thrown_by<std::runtime_error>(run), "no more paper");
    for (int i = 0; i < 3; ++i) EXPECT_EQ(thrown_by<std::runtime_error>(run), "no more paper");
    expect_mentions(thrown_by<contract_error>(run), {"an earlier run of this kind has thrown"});
    w.barrier();
  });
}

// The program goes on after the exception, although later pieces of the call can never end.
TEST_P(started_collectives, pass_on_what_functions_throw_in_pieces) {
  if (GetParam().pes == 1) return;
  const short_pieces pieces;
  on_all([](world& w) {
    std::vector<affine> values(1000);
    const auto throws = [](const affine&, const affine&) -> affine {
      throw std::runtime_error("no more paper");
    };
    const auto run = [&] {
      w.all_reduce_async(std::span(values), std::span(values), throws,
                         {.over = topology::pairwise, .by_node = false})
          .wait();
    };
    w.barrier_async().wait();
    EXPECT_EQ(thrown_by<std::runtime_error>(run), "no more paper");
    w.barrier();
  });
}

TEST_P(started_collectives, in_parts_of_a_world) {
  on_all([](world& w) {
    auto part = w.split(w.rank() % 2);
    std::vector<int> sum{1};
    std::vector<int> whole{1};
    for (int round = 0; round < 3; ++round) {
      collective_run of_whole = w.all_reduce_async(std::span(whole), std::span(whole));
      part->all_reduce_async(std::span(sum), std::span(sum)).wait();
      of_whole.wait();
    }
    EXPECT_EQ(sum[0], part->size() * part->size() * part->size());
    EXPECT_EQ(whole[0], w.size() * w.size() * w.size());
    w.barrier();
  });
}

// The run goes on, and its own PE still gets the result.
TEST_P(started_collectives, are_not_waited_for_on_another_thread) {
  run_on(GetParam(), [](world& w) {
    int value = w.rank() == 0 ? 42 : 0;
    auto run = w.broadcast_async(std::span(&value, 1));
    std::string waited;
    std::string tested;
    std::thread([&] {
      waited = thrown_by<contract_error>([&] { run.wait(); });
      tested = thrown_by<contract_error>([&] { static_cast<void>(run.test()); });
    }).join();
    expect_mentions(waited, {"wait", "thread"});
    expect_mentions(tested, {"test", "thread"});
    run.wait();
    EXPECT_EQ(value, 42);
  });
}

TEST_P(started_collectives, what_does_not_fit) {
  on_all([](world& w) {
    std::vector<int> room(8);
    const std::span all(room);
    const auto refuses = [](const auto& start, std::initializer_list<std::string_view> parts) {
      expect_mentions(thrown_by<argument_error>([&] { static_cast<void>(start()); }), parts);
    };
    refuses([&] { return w.broadcast_async(all, w.size()); },
            {"broadcast_async", "the root is PE " + std::to_string(w.size())});
    refuses([&] { return w.all_reduce_async(all.first(2), all.last(3)); },
            {"all_reduce_async", "8 bytes are given", "room for 12 bytes"});
    refuses([&] { return w.barrier_async({.fan_out = -1}); }, {"barrier_async", "fan_out is -1"});
    std::vector<int> more(static_cast<std::size_t>(w.size()) + 1);
    refuses([&] { return w.all_gather_async(all.first(1), std::span(more)); },
            {"all_gather_async", "room for", "together give"});
    collective_run run = w.barrier_async();
    collective_run moved = std::move(run);
    expect_mentions(
        thrown_by<contract_error>([&] { run.wait(); }),  // NOLINT(bugprone-use-after-move)
        {"wait", "moved from"});
    moved.wait();
    w.barrier();
  });
}

INSTANTIATE_TEST_SUITE_P(collective, started_collectives, testing::ValuesIn(several_shapes()),
                         by_name{});

// PEs that start different collectives do not wait for each other for ever.
class different_collectives : public testing::TestWithParam<world_shape> {};

TEST_P(different_collectives, are_found_out) {
  const world_report report = observe(GetParam(), [](world& w) {
    std::vector<int> sum(2, 1);
    for (int round = 0; round < 100; ++round) {  // so that no object needs to be made
      w.all_reduce_async(std::span(sum), std::span(sum)).wait();
      w.broadcast_async(std::span(sum)).wait();
    }
    const bool is_last = w.rank() == w.size() - 1;
    collective_run run = is_last ? w.broadcast_async(std::span(sum))
                                 : w.all_reduce_async(std::span(sum), std::span(sum));
    run.wait();
    w.all_reduce_async(std::span(sum), std::span(sum)).wait();
  });
  EXPECT_TRUE(report.failed);
  for (const pe_report& pe : report.pes) {
    if (pe.end == ending::unknown) continue;
    EXPECT_EQ(pe.end, ending::world_error) << pe.what;
    expect_mentions(pe.what,
                    {"the PEs started different collectives", "all_reduce_async of 8 bytes",
                     "broadcast_async of 8 bytes with root 0", "the same ones in the same order"});
  }
}

// Pieces of equal length do not hide that the lengths differ.
TEST_P(different_collectives, are_found_out_in_pieces) {
  const short_pieces pieces;
  const world_report report = observe(GetParam(), [](world& w) {
    std::vector<int> sum(750, 1);
    for (int round = 0; round < 100; ++round) {  // so that no object needs to be made
      w.all_reduce_async(std::span(sum).first(500), std::span(sum).first(500)).wait();
    }
    const bool is_last = w.rank() == w.size() - 1;
    const auto mine = std::span(sum).first(is_last ? 750 : 500);
    w.all_reduce_async(mine, mine).wait();
    w.all_reduce_async(mine, mine).wait();
  });
  EXPECT_TRUE(report.failed);
  for (const pe_report& pe : report.pes) {
    if (pe.end == ending::unknown) continue;
    EXPECT_EQ(pe.end, ending::world_error) << pe.what;
    expect_mentions(pe.what, {"the PEs started different collectives",
                              "all_reduce_async of 2000 bytes", "all_reduce_async of 3000 bytes"});
  }
}

INSTANTIATE_TEST_SUITE_P(collective, different_collectives,
                         testing::ValuesIn(std::vector<world_shape>{
                             {substrate_kind::threads, 2, 1},
                             {substrate_kind::threads, 5, 1},
                             {substrate_kind::processes, 3, 1}}),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::started_collective_test
