// Collectives left to the network (collective_options::carrier) give the same results as other
// carriers, in every run, and go on across nodes while no PE is in any function of Boxcar. The test
// runs as network_schedule_test.cpp does.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <numeric>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <boxcar/collective.hpp>
#include <boxcar/collective_run.hpp>
#include <boxcar/error.hpp>
#include <boxcar/window.hpp>

#include "support/by_name.hpp"
#include "support/on_shapes.hpp"
#include "support/run_on.hpp"
#include "support/shared_array.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::network_collective_test {
namespace {

using number = std::uint64_t;

constexpr collective_options by_network{.carrier = schedule_carrier::network};

std::vector<world_shape> on_two_nodes() {
  std::vector<world_shape> shapes = or_cluster({});
  std::erase_if(shapes, [](const world_shape& shape) { return shape.nodes != 2; });
  return shapes;
}

number given(int run, int pe, std::size_t i) {
  return static_cast<number>(1000 * run + 100 * pe) + i;
}

// A PE contributes `length` elements, or `length` elements for each PE. The test compares each
// element `i` of the result with `due`.
struct exercise {
  const char* name;
  bool gives_to_each;
  bool gets_from_each;
  std::function<collective(collectives&, std::span<number> in, std::span<number> out)> make;
  std::function<number(const world&, int run, std::size_t i)> due;
};

number sum_up_to(int pes, int run, std::size_t i) {
  number sum = 0;
  for (int pe = 0; pe < pes; ++pe) sum += given(run, pe, i);
  return sum;
}

std::vector<exercise> exercises(std::size_t length) {
  return {
      {"all_reduce", false, false,
       [](collectives& make, std::span<number> in, std::span<number> out) {
         return make.all_reduce(in, out, std::plus<>(), by_network);
       },
       [](const world& w, int run, std::size_t i) { return sum_up_to(w.size(), run, i); }},
      {"scan", false, false,
       [](collectives& make, std::span<number> in, std::span<number> out) {
         return make.scan(in, out, std::plus<>(), by_network);
       },
       [](const world& w, int run, std::size_t i) { return sum_up_to(w.rank() + 1, run, i); }},
      {"all_gather", false, true,
       [](collectives& make, std::span<number> in, std::span<number> out) {
         return make.all_gather(in, out, by_network);
       },
       [length](const world& /*w*/, int run, std::size_t i) {
         return given(run, static_cast<int>(i / length), i % length);
       }},
      {"all_to_all", true, true,
       [](collectives& make, std::span<number> in, std::span<number> out) {
         return make.all_to_all(in, out, by_network);
       },
       [length](const world& w, int run, std::size_t i) {
         const std::size_t mine = static_cast<std::size_t>(w.rank()) * length;
         return given(run, static_cast<int>(i / length), mine + i % length);
       }},
  };
}

class network_collectives : public testing::TestWithParam<world_shape> {
 protected:
  static void on_all(const std::function<void(world&)>& body) { run_on(GetParam(), body); }
};

void expect_by_network(const std::string& explanation) {
  expect_mentions(explanation, {"left to the network", "deferred work"});
}

TEST_P(network_collectives, give_what_is_due) {
  on_all([](world& w) {
    // The short messages are eager; the long messages use the rendezvous protocol.
    for (const std::size_t length : {std::size_t{3}, std::size_t{700}}) {
      const auto all = static_cast<std::size_t>(w.size()) * length;
      window<number> data(w, 2 * all);
      for (const exercise& e : exercises(length)) {
        SCOPED_TRACE(e.name + (" of " + std::to_string(length)));
        const auto in = data.local().first(e.gives_to_each ? all : length);
        const auto out = data.local().subspan(all, e.gets_from_each ? all : length);
        collectives make(w);
        make.use(data);
        collective c = e.make(make, in, out);
        expect_by_network(c.explain());
        for (int run = 1; run <= 3; ++run) {
          for (std::size_t i = 0; i < in.size(); ++i) in[i] = given(run, w.rank(), i);
          c.start();
          c.wait();
          for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], e.due(w, run, i));
        }
        w.barrier();
      }
    }
  });
}

// The functions copy the program's memory, and several collectives are in flight at a time.
TEST_P(network_collectives, are_started_by_functions_of_the_world) {
  on_all([](world& w) {
    std::vector<number> word(1);
    std::vector<number> sum(1);
    const std::vector<number> mine(1, 1 + static_cast<number>(w.rank()));
    for (number run = 1; run <= 3; ++run) {
      if (w.rank() == 1) word[0] = run;
      auto broadcast = w.broadcast_async(std::span(word), 1, by_network);
      auto total = w.all_reduce_async(std::span(mine), std::span(sum), std::plus<>(), by_network);
      auto all_are_here = w.barrier_async(by_network);
      all_are_here.wait();
      total.wait();
      broadcast.wait();
      EXPECT_EQ(word[0], run);
      const auto pes = static_cast<number>(w.size());
      EXPECT_EQ(sum[0], pes * (pes + 1) / 2);
    }
    w.barrier();
  });
}

// No PE calls Boxcar until the last PE has seen the broadcast value in memory.
TEST_P(network_collectives, go_on_while_no_pe_calls_boxcar) {
  shared_array<std::atomic<number>> over(1);
  on_all([&over](world& w) {
    window<number> data(w, 1);
    collectives make(w);
    make.use(data);
    collective c = make.broadcast(data.local(), 0,
                                  {.over = topology::chain, .carrier = schedule_carrier::network});
    expect_by_network(c.explain());
    const std::atomic_ref<number> here(data.local()[0]);
    for (number run = 1; run <= 5; ++run) {
      if (w.rank() == 0) here.store(1000 + run);
      c.start();
      if (w.rank() == w.size() - 1) {
        while (here.load(std::memory_order_acquire) != 1000 + run) std::this_thread::yield();
        over[0].store(run, std::memory_order_release);
      }
      while (over[0].load(std::memory_order_acquire) < run) std::this_thread::yield();
      c.wait();
      EXPECT_EQ(here.load(), 1000 + run);
      w.barrier();
    }
  });
}

TEST_P(network_collectives, with_functions_leave_the_rest_to_the_network) {
  on_all([](world& w) {
    window<number> data(w, 2);
    collectives make(w);
    make.use(data);
    const auto larger = [](number a, number b) { return std::max(a, b); };
    collective c = make.all_reduce(data.local().first(1), data.local().last(1), larger, by_network);
    expect_by_network(c.explain());
    if (w.rank() == 0) expect_mentions(c.explain(), {"by the PE in functions of Boxcar"});
    for (number run = 1; run <= 3; ++run) {
      data.local()[0] = run + static_cast<number>(w.rank());
      c.start();
      c.wait();
      EXPECT_EQ(data.local()[1], run + static_cast<number>(w.size()) - 1);
    }
    w.barrier();
  });
}

TEST_P(network_collectives, are_refused_if_pes_disagree) {
  on_all([](world& w) {
    collectives make(w);
    collective_options options = by_network;
    if (w.rank() == 1) options.carrier = schedule_carrier::adapter;
    expect_mentions(thrown_by<argument_error>([&] { static_cast<void>(make.barrier(options)); }),
                    {"the PEs disagree on a collective's carrier"});
    w.barrier();
  });
}

TEST_P(network_collectives, hear_of_failures) {
  const world_report report = observe(GetParam(), [](world& w) {
    collectives make(w);
    collective c = make.barrier(by_network);
    expect_by_network(c.explain());
    if (w.rank() == 1) throw argument_error("it does not like it");
    c.start();
    c.wait();
  });
  for (std::size_t pe = 0; pe < report.pes.size(); ++pe) {
    if (pe == 1) continue;
    EXPECT_EQ(report.pes[pe].end, ending::world_error) << "PE " << pe << report.pes[pe].what;
    expect_mentions(report.pes[pe].what, {"PE 1", "it does not like it"});
  }
}

INSTANTIATE_TEST_SUITE_P(on_nodes, network_collectives, testing::ValuesIn(on_two_nodes()),
                         by_name{});

// Tests on a provider without deferred work.
class no_network_collectives : public testing::TestWithParam<world_shape> {};

TEST_P(no_network_collectives, are_refused_if_they_are_asked_for) {
  run_on(GetParam(), [](world& w) {
    collectives make(w);
    expect_mentions(
        thrown_by<argument_error>([&] { static_cast<void>(make.barrier(by_network)); }),
        {"barrier: collective_options::carrier is `network`", "FI_TRIGGER", "automatic"});
    // Functions of the world pass the option on, too.
    expect_mentions(thrown_by<argument_error>([&] { w.barrier_async(by_network).wait(); }),
                    {"collective_options::carrier is `network`"});
    w.barrier();
  });
}

INSTANTIATE_TEST_SUITE_P(on_nodes, no_network_collectives, testing::ValuesIn(on_two_nodes()),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::network_collective_test
