// Tests of collectives on every substrate: the result of serial code, in every run, in memory of
// any sort, with several collectives at once.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/collective.hpp>
#include <boxcar/collective_run.hpp>
#include <boxcar/window.hpp>

#include "collective/collective_case.hpp"
#include "collective/neighbor_graph.hpp"
#include "support/by_name.hpp"
#include "support/on_shapes.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::collective_test {
namespace {

// One collective with its memory, which may lie in a window.
template <typename T, typename Combine>
class checked_collective {
 public:
  checked_collective(world& w, const collective_case& c, Combine combine, T first, bool in_window)
      : rank_(w.rank()), case_(c), combine_(combine), first_(first), window_(w, c.room_for(rank_)) {
    collectives make(w);
    if (in_window) {
      make.use(window_);
      memory_ = window_.local();
    } else {
      own_.resize(c.room_for(rank_));
      memory_ = own_;
    }
    operation_ = std::make_unique<collective>(made(make));
  }

  void start(std::uint64_t seed) {
    given_ = case_.template gifts<T>(seed);
    const auto l = case_.layout_for(rank_);
    std::ranges::copy(given_[static_cast<std::size_t>(rank_)],
                      memory_.subspan(l.in_at, l.in).begin());
    operation_->start();
  }
  [[nodiscard]] collective& operation() { return *operation_; }
  void check() const {
    const auto l = case_.layout_for(rank_);
    ASSERT_TRUE(std::ranges::equal(memory_.subspan(l.out_at, l.out),
                                   case_.expected(rank_, given_, combine_, first_)))
        << case_.text() << "\n"
        << operation_->explain();
  }

 private:
  [[nodiscard]] collective made(collectives& make) const {
    const auto l = case_.layout_for(rank_);
    const std::span<const T> in = memory_.subspan(l.in_at, l.in);
    const std::span<T> out = memory_.subspan(l.out_at, l.out);
    const collective_options& o = case_.options;
    switch (case_.kind) {
      case collective_operation::barrier:
        return make.barrier(o);
      case collective_operation::broadcast:
        return make.broadcast(out, case_.root, o);
      case collective_operation::reduce:
        return make.reduce(in, out, case_.root, combine_, o);
      case collective_operation::all_reduce:
        return make.all_reduce(in, out, combine_, o);
      case collective_operation::scatter:
        return make.scatter(in, out, case_.root, o);
      case collective_operation::gather:
        return make.gather(in, out, case_.root, o);
      case collective_operation::all_gather:
        return make.all_gather(in, out, o);
      case collective_operation::all_to_all:
        return case_.are_equal() ? make.all_to_all(in, out, o)
                                 : make.all_to_all(in, out, case_.sent_by(rank_), o);
      case collective_operation::reduce_scatter:
        return make.reduce_scatter(in, out, combine_, o);
      case collective_operation::scan:
        return make.scan(in, out, combine_, o);
      default:  // exclusive_scan: all_kinds() has no further kinds
        break;
    }
    return make.exclusive_scan(in, out, first_, combine_, o);
  }

  int rank_;
  collective_case case_;
  Combine combine_;
  T first_;
  window<T> window_;
  std::vector<T> own_;
  std::span<T> memory_;
  std::unique_ptr<collective> operation_;
  std::vector<std::vector<T>> given_;
};

template <typename T, typename Combine>
void check_runs(world& w, const collective_case& c, Combine combine, T first, dice& d) {
  checked_collective<T, Combine> one(w, c, combine, first, d.chance(50));
  for (int run = 0; run < 3; ++run) {
    one.start(d.next());
    one.operation().wait();
    one.check();
  }
  w.barrier();
}

struct of_kind {
  collective_operation kind;
};

std::string name_of(const of_kind& c) {
  return std::string(detail::name_of(c.kind));
}

std::vector<of_kind> each_kind() {
  std::vector<of_kind> all;
  for (const collective_operation kind : all_kinds()) all.push_back({kind});
  return all;
}

class collectives_of : public testing::TestWithParam<shaped<of_kind>> {};

TEST_P(collectives_of, give_what_serial_code_gives) {
  run_on(GetParam().shape, [](world& w) {
    const collective_operation kind = GetParam().detail.kind;
    dice d(program_seed(static_cast<std::uint64_t>(kind)));
    std::vector<topology> all = detail::topologies_for(kind);
    all.push_back(topology::automatic);
    if (w.nodes() == 1) all.push_back(topology::shared_memory);
    for (const topology over : all) {
      for (int i = 0; i < 2; ++i) {
        const collective_case c = random_case(d, kind, over, w.size());
        check_runs<std::int64_t>(w, c, std::plus<>{}, 17, d);
        check_runs<affine>(w, c, then{}, {3, 4}, d);
        if (c.combines()) {
          collective_case fixed = c;
          fixed.options.reproducible = true;
          check_runs<std::uint32_t>(w, fixed, in_one_order{}, 5, d);
        }
      }
    }
  });
}

class all_reduces : public testing::TestWithParam<world_shape> {};

// All PEs get the same bits, also where the grouping of elements changes the result, with NaNs, and
// with signed zeros.
TEST_P(all_reduces, give_the_same_bits_to_all) {
  run_on(GetParam(), [](world& w) {
    dice d(program_seed(0));
    const auto kind = collective_operation::all_reduce;
    std::vector<topology> all = detail::topologies_for(kind);
    all.push_back(topology::automatic);
    if (w.nodes() == 1) all.push_back(topology::shared_memory);
    const auto check = [&](const collective_case& c, auto combine) {
      std::vector<double> in(c.length(0));
      std::vector<double> out(c.length(0));
      dice mine(scramble_all({d.next(), static_cast<std::uint64_t>(w.rank())}));
      for (double& x : in) make_random(mine, x);
      auto run = w.all_reduce_async(std::span(in), std::span(out), combine, c.options);
      run.wait();
      std::vector<double> first = out;
      w.broadcast(std::span(first));
      EXPECT_TRUE(
          std::ranges::equal(std::as_bytes(std::span(first)), std::as_bytes(std::span(out))))
          << "PE " << w.rank() << ": " << run.explain();
    };
    for (const topology over : all) {
      for (int i = 0; i < 2; ++i) {
        const collective_case c = random_case(d, kind, over, w.size());
        check(c, std::plus<>{});
        check(c, minimum{});
        check(c, maximum{});
        check(c, [](double a, double b) { return (a + b) / 2; });
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(collective, all_reduces, testing::ValuesIn(several_shapes()), by_name{});

INSTANTIATE_TEST_SUITE_P(collective, collectives_of,
                         testing::ValuesIn(on_shapes(several_shapes(), each_kind())), by_name{});

class any_collectives : public testing::TestWithParam<world_shape> {
 protected:
  static void on_all(const std::function<void(world&)>& body) { run_on(GetParam(), body); }
};

// Collectives of all kinds run at once; their ends are waited for in another order.
TEST_P(any_collectives, go_on_side_by_side) {
  on_all([](world& w) {
    using checked = checked_collective<std::int64_t, std::plus<>>;
    dice d(program_seed(0));
    std::vector<std::unique_ptr<checked>> all;
    for (const collective_operation kind : all_kinds()) {
      for (const topology over : {topology::automatic, detail::topologies_for(kind).front()}) {
        const collective_case c = random_case(d, kind, over, w.size());
        all.push_back(std::make_unique<checked>(w, c, std::plus<>{}, 1, d.chance(50)));
      }
    }
    for (int run = 0; run < 3; ++run) {
      for (const auto& one : all) one->start(d.next());
      for (std::size_t i = all.size(); i-- > 0;) {
        while (!all[i]->operation().test()) {
        }
        all[i]->check();
      }
    }
    w.barrier();
  });
}

// Long enough for every way to travel in pieces.
TEST_P(any_collectives, of_long_arrays) {
  on_all([](world& w) {
    // The arrays of all PEs together determine the time.
    const std::size_t length = w.size() <= 8 ? 12'001 : 4'001;
    dice d(program_seed(1));
    for (const collective_operation kind : all_kinds()) {
      collective_case c = random_case(d, kind, topology::automatic, w.size());
      c.options.segment_bytes = 0;
      std::ranges::fill(c.lengths, length);
      check_runs<std::int64_t>(w, c, maximum{}, -1, d);
    }
  });
}

// The length is so large that each PE combines a share.
TEST_P(any_collectives, of_shares) {
  on_all([](world& w) {
    if (w.nodes() > 1) return;
    dice d(program_seed(3));
    for (const std::size_t length : {std::size_t{700}, std::size_t{701}, std::size_t{5000}}) {
      collective_case c =
          random_case(d, collective_operation::all_reduce, topology::shared_memory, w.size());
      std::ranges::fill(c.lengths, length);
      check_runs<std::int64_t>(w, c, std::plus<>{}, 0, d);
      check_runs<affine>(w, c, then{}, {}, d);
    }
  });
}

// One PE gives much more than the other PEs: all choose the same algorithm nevertheless.
TEST_P(any_collectives, of_lengths_that_differ) {
  on_all([](world& w) {
    constexpr std::size_t much = 4000;
    const auto pes = static_cast<std::size_t>(w.size());
    const std::vector<std::size_t> sizes(pes, w.rank() == 0 ? much : 1);
    const std::vector<std::int64_t> from(pes * sizes[0], w.rank());
    std::vector<std::int64_t> into(much + pes - 1, -1);
    collectives make(w);
    collective exchange = make.all_to_all(std::span(from), std::span(into), sizes);
    for (int run = 0; run < 3; ++run) {
      std::ranges::fill(into, -1);
      exchange.start();
      exchange.wait();
      EXPECT_EQ(std::ranges::count(into, 0), std::ptrdiff_t{much});
      for (std::size_t pe = 1; pe < pes; ++pe) {
        EXPECT_EQ(into[much + pe - 1], static_cast<std::int64_t>(pe));
      }
    }
    w.barrier();
  });
}

// Any communication graph: several edges between two PEs, edges to oneself, PEs with none.
TEST_P(any_collectives, of_neighbors) {
  on_all([](world& w) {
    dice d(program_seed(2));
    for (int i = 0; i < 4; ++i) {
      const neighbor_graph graph(d, w.size());
      const int me = w.rank();
      window<std::int64_t> from(w, graph.gift_of(me, 0).size());
      std::vector<std::int64_t> into(graph.expected_by(me, 0).size());
      collectives make(w);
      if (i % 2 == 0) make.use(from);
      collective exchange = make.neighbor_all_to_all(from.local(), graph.given_by(me),
                                                     std::span(into), graph.taken_by(me));
      for (int run = 0; run < 3; ++run) {
        std::ranges::copy(graph.gift_of(me, run), from.local().begin());
        exchange.start();
        exchange.wait();
        EXPECT_EQ(into, graph.expected_by(me, run));
      }
    }
    w.barrier();
  });
}

// The element type is unknown to the adapter.
TEST_P(any_collectives, of_long_doubles) {
  on_all([](world& w) {
    const std::vector<long double> mine(3, 1.5L * static_cast<long double>(w.rank()));
    std::vector<long double> sum(3);
    collectives make(w);
    for (const topology over : {topology::automatic, topology::butterfly}) {
      collective total =
          make.all_reduce(std::span(mine), std::span(sum), std::plus<>{}, {.over = over});
      total.start();
      total.wait();
      EXPECT_EQ(sum[2], 0.75L * static_cast<long double>(w.size() * (w.size() - 1)));
    }
    w.barrier();
  });
}

// A barrier ends when the last PE has started it.
TEST_P(any_collectives, a_barrier_waits_for_all) {
  on_all([](world& w) {
    window<int> come(w, 1);
    collectives make(w);
    collective barrier = make.barrier();
    for (int run = 1; run <= 5; ++run) {
      if (w.rank() == run % w.size()) w.sleep(std::chrono::microseconds(300));
      come.store(run, w.rank(), 0);
      barrier.start();
      barrier.wait();
      for (int pe = 0; pe < w.size(); ++pe) EXPECT_GE(come.load(pe, 0), run);
    }
    w.barrier();
  });
}

// A PE that only gives may be runs ahead; a late PE gets the data of its own run.
TEST_P(any_collectives, reach_pes_that_are_late) {
  on_all([](world& w) {
    std::vector<int> values(3);
    std::vector<int> all(3 * static_cast<std::size_t>(w.size()));
    std::vector<int> sums(3);
    collectives make(w);
    collective broadcast = make.broadcast(std::span(values));
    collective gather = make.gather(std::span(values), std::span(all), w.size() - 1);
    collective scan = make.scan(std::span(values), std::span(sums));
    dice d(program_seed(static_cast<std::uint64_t>(w.rank())));
    for (int run = 1; run <= 200; ++run) {  // three times the runs that a PE may be ahead
      if (d.chance(2)) w.sleep(std::chrono::microseconds(300));
      std::ranges::fill(values, w.rank() == 0 ? run : -1);
      broadcast.start();
      broadcast.wait();
      EXPECT_EQ(std::ranges::count(values, run), 3);
      scan.start();
      scan.wait();
      EXPECT_EQ(sums[1], run * (w.rank() + 1));
      gather.start();
      gather.wait();
      if (w.rank() == w.size() - 1) {
        EXPECT_EQ(std::ranges::count(all, run), std::ssize(all));
      }
    }
    w.barrier();
  });
}

// The result of a run is complete when its end is reported, by whatever function.
TEST_P(any_collectives, may_ask_for_the_end) {
  on_all([](world& w) {
    std::vector<int> mine{w.rank() + 1};
    std::vector<int> sum{0};
    collectives make(w);
    collective total = make.all_reduce(std::span(mine), std::span(sum));
    EXPECT_TRUE(total.test());
    for (int run = 1; run <= 5; ++run) {
      mine[0] = run * (w.rank() + 1);
      total.start();
      while (!total.test()) {
      }
      EXPECT_EQ(sum[0], run * w.size() * (w.size() + 1) / 2);
    }
    expect_mentions(total.explain(), {"all_reduce on " + std::to_string(w.size()) + " PEs"});
    w.barrier();
  });
}

TEST_P(any_collectives, say_who_carries_them_out) {
  on_all([](world& w) {
    const std::vector<int> mine{1};
    std::vector<int> result{0};
    collectives make(w);
    const auto explained = [&](const auto& combine, topology over) {
      return make.all_reduce(std::span(mine), std::span(result), combine, {.over = over}).explain();
    };
    const std::string tree = explained(std::plus<>(), topology::k_ary_tree);
    expect_mentions(tree, {"by the PE's adapter"});
    EXPECT_EQ(tree.find("other nodes by the PE") != std::string::npos, w.nodes() > 1) << tree;
    const auto larger = [](int a, int b) { return std::max(a, b); };
    const std::string with_function = explained(larger, topology::k_ary_tree);
    if (w.size() > 1 && w.rank() == 0) expect_mentions(with_function, {"functions by the PE"});
    if (w.nodes() == 1) {
      expect_mentions(explained(larger, topology::shared_memory), {"takes when it asks"});
    }
  });
}

// Spans of arrays have their length in their type.
TEST_P(any_collectives, of_spans_of_fixed_extent) {
  on_all([](world& w) {
    const auto value = [](std::span<const int, 2> a) { return std::pair(a[0], a[1]); };
    const std::array<int, 2> mine{w.rank(), 1};
    std::array<int, 2> result{};
    const std::span in(mine);
    const std::span out(result);
    const std::pair all(w.size() * (w.size() - 1) / 2, w.size());
    collectives make(w);
    collective sum = make.all_reduce(in, out);
    sum.start();
    sum.wait();
    EXPECT_EQ(value(out), all);
    result = {};
    w.all_reduce_async(in, out).wait();
    EXPECT_EQ(value(out), all);
    const int root = w.size() - 1;
    collective reduced = make.reduce(in, out, root);
    reduced.start();
    reduced.wait();
    w.reduce_async(in, out, root).wait();
    result = mine;
    collective spread = make.broadcast(out, root);
    spread.start();
    spread.wait();
    EXPECT_EQ(value(out), std::pair(root, 1));
    result = mine;
    w.broadcast_async(out, root).wait();
    EXPECT_EQ(value(out), std::pair(root, 1));
    collective before = make.exclusive_scan(in, out, 7);
    before.start();
    before.wait();
    const int sum_before = w.rank() * (w.rank() - 1) / 2;
    EXPECT_EQ(value(out), std::pair(7 + sum_before, 7 + w.rank()));
    w.exclusive_scan_async(in, out, 7).wait();
    EXPECT_EQ(value(out), std::pair(7 + sum_before, 7 + w.rank()));
    w.scan_async(in, out).wait();
    EXPECT_EQ(value(out), std::pair(sum_before + w.rank(), w.rank() + 1));
    std::vector<int> gathered(2 * static_cast<std::size_t>(w.size()));
    w.all_gather_async(in, std::span(gathered)).wait();
    EXPECT_EQ(gathered[gathered.size() - 2], root);
    w.barrier();
  });
}

TEST_P(any_collectives, in_parts_of_a_world) {
  on_all([](world& w) {
    auto part = w.split(w.rank() % 3);
    std::vector<int> all(static_cast<std::size_t>(part->size()));
    const std::vector<int> mine{w.rank()};
    collectives make(*part);
    collective gather = make.all_gather(std::span(mine), std::span(all));
    for (int run = 0; run < 3; ++run) {
      std::ranges::fill(all, -1);
      gather.start();
      gather.wait();
      for (int pe = 0; pe < part->size(); ++pe) {
        EXPECT_EQ(all[static_cast<std::size_t>(pe)], w.rank() % 3 + 3 * pe);
      }
    }
    part->barrier();
  });
}

INSTANTIATE_TEST_SUITE_P(collective, any_collectives, testing::ValuesIn(several_shapes()),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::collective_test
