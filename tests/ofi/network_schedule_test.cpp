// Schedules left to the network (schedule_carrier::network) do the same as by hand and by adapters,
// in every run, and go on across nodes while no PE is in any function of Boxcar and there are no
// progress threads. The PEs call the functions of a schedule; operations without room in the
// network are left to the PEs or to adapters, and reported. The test runs as a job of several
// processes on a provider with deferred work; all processes run all tests.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <boxcar/error.hpp>
#include <boxcar/schedule.hpp>
#include <boxcar/window.hpp>

#include "schedule/random_graph.hpp"
#include "schedule/sum_along_a_chain.hpp"
#include "support/by_name.hpp"
#include "support/computing_pes.hpp"
#include "support/dice.hpp"
#include "support/on_shapes.hpp"
#include "support/run_on.hpp"
#include "support/shared_array.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::network_schedule_test {
namespace {

using number = std::uint64_t;
using flags = shared_array<std::atomic<number>>;

constexpr const char* by_network = "left to the network";

// Messages longer than eager_bytes use the rendezvous protocol.
struct protocol {
  std::size_t eager_bytes;
};

std::string name_of(const protocol& p) {
  return p.eager_bytes == 0 ? "rendezvous" : p.eager_bytes > 1000 ? "eager" : "mixed";
}

std::vector<world_shape> on_nodes(int nodes) {
  std::vector<world_shape> shapes = or_cluster({});
  std::erase_if(shapes, [nodes](const world_shape& shape) { return shape.nodes != nodes; });
  return shapes;
}

// Returns cases with as many nodes as PEs, and with several PEs per node.
std::vector<shaped<protocol>> all_cases() {
  auto all = on_shapes<protocol>(on_nodes(cluster_pes()), {{0}, {1 << 20}});
  for (const auto& more : on_shapes<protocol>(on_nodes(2), {{100}})) all.push_back(more);
  return all;
}

class network_schedules : public testing::TestWithParam<shaped<protocol>> {
 protected:
  static void on_all(const std::function<void(world&)>& body) { run_on(GetParam().shape, body); }
  static schedule_options options() {
    return {.eager_bytes = GetParam().detail.eager_bytes,
            .eager_bytes_within_node = GetParam().detail.eager_bytes,
            .carrier = schedule_carrier::network};
  }
  static number rank_of(const world& w) { return static_cast<number>(w.rank()); }
};

void expect_by_network(const schedule& s) {
  expect_mentions(s.explain(), {by_network, "deferred work", "neither the PE nor a progress"});
}

// wait_outside and look_until wait without calls of Boxcar until another PE, or the network, has
// written `value`.
void wait_outside(const std::atomic<number>& there, number value) {
  while (there.load(std::memory_order_acquire) != value) std::this_thread::yield();
}
void look_until(const number& there, number value) {
  const std::atomic_ref<const number> is(there);
  while (is.load(std::memory_order_acquire) != value) std::this_thread::yield();
}
// Called by all PEs: returns when PE `who_sees` has seen the end of run `run` in memory.
void stay_outside(int who_sees, const world& w, const number& there, number value,
                  std::atomic<number>& over, number run) {
  if (w.rank() == who_sees) {
    look_until(there, value);
    over.store(run, std::memory_order_release);
  } else {
    wait_outside(over, run);
  }
}

TEST_P(network_schedules, do_what_a_run_by_hand_does) {
  on_all([](world& w) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      window<number> data(w, random_graph::slots * random_graph::most);
      const bool has_functions = seed % 2 == 0;
      using functions = random_graph::functions;
      random_graph g(w, data, seed, has_functions ? functions::some : functions::none, 90);
      schedule s = g.compile(options());
      if (has_functions) {
        expect_mentions(s.explain(), {by_network});
      } else {
        expect_by_network(s);
      }
      expect_runs_as_by_hand(w, data, g, s, 3);
    }
  });
}

// The schedule goes along a line of PEs and back, over all nodes. No PE calls Boxcar until PE 0 has
// seen the end of the run in memory.
TEST_P(network_schedules, go_on_while_no_pe_calls_boxcar) {
  flags over(1);
  on_all([&over](world& w) {
    constexpr std::size_t length = 700;
    window<number> data(w, 2 * length);
    schedule s = sum_along_a_chain(w, data).compile(options());
    expect_by_network(s);
    const auto pes = static_cast<number>(w.size());
    for (number run = 1; run <= 3; ++run) {
      const number sum = run * pes * (pes + 1) / 2;
      std::ranges::fill(data.local().first(length), run * (rank_of(w) + 1));
      w.barrier();
      s.start();
      stay_outside(0, w, data.local()[0], sum, over[0], run);
      s.wait();
      EXPECT_EQ(std::ranges::count(data.local().first(length), sum),
                static_cast<std::ptrdiff_t>(length));
    }
    w.barrier();
  });
}

// The schedule broadcasts along a line of PEs; the last PE only polls memory.
TEST_P(network_schedules, broadcast_while_no_pe_calls_boxcar) {
  flags over(1);
  on_all([&over](world& w) {
    window<number> data(w, 1);
    const auto word = data.local();
    const int last = w.size() - 1;
    schedule_builder b(w);
    b.use(data);
    std::optional<schedule_builder::vertex> arrived;
    if (w.rank() > 0) arrived = b.receive(word, w.rank() - 1);
    if (w.rank() < last) {
      const auto pass = b.send(std::span<const number>(word), w.rank() + 1);
      if (arrived) b.depend(pass, *arrived);
    }
    schedule s = b.compile(options());
    expect_by_network(s);
    for (number run = 1; run <= 5; ++run) {
      if (w.rank() == 0) word[0] = 1000 + run;
      s.start();
      stay_outside(last, w, word[0], 1000 + run, over[0], run);
      s.wait();
      EXPECT_EQ(word[0], 1000 + run);
    }
    w.barrier();
  });
}

// No message is lost when PEs are ahead, several schedules are in flight, and messages are empty or
// to the PE itself.
TEST_P(network_schedules, go_on_side_by_side) {
  on_all([](world& w) {
    constexpr std::size_t several = 3;
    constexpr std::size_t length = 50;
    std::vector<window<number>> data;
    std::vector<schedule> all;
    const int next = (w.rank() + 1) % w.size();
    for (std::size_t i = 0; i < several; ++i) data.emplace_back(w, 3 * length);
    for (window<number>& d : data) {
      const auto part = [&d](std::size_t i) { return d.local().subspan(i * length, length); };
      schedule_builder b(w);
      b.use(d);
      b.send(part(0), next, 1);
      b.receive(part(1), any_pe, 1);
      b.send(part(0), w.rank(), 2);
      b.receive(part(2), w.rank(), 2);
      b.send(part(0).first(0), next, 3);
      b.receive(part(1).first(0), any_pe, 3);
      all.push_back(b.compile(options()));
      expect_by_network(all.back());
    }
    dice d(rank_of(w));
    for (number run = 1; run <= 6; ++run) {
      for (std::size_t i = 0; i < several; ++i) {
        std::ranges::fill(data[i].local().first(length), 100 * run + 10 * i + rank_of(w));
        if (d.below(3) == 0) w.sleep(std::chrono::microseconds(300));
        all[i].start();
      }
      for (std::size_t i = several; i-- > 0;) {
        while (!all[i].test()) {
        }
        const number before = static_cast<number>((w.rank() + w.size() - 1) % w.size());
        const auto arrived = data[i].local().subspan(length);
        EXPECT_EQ(std::ranges::count(arrived.first(length), 100 * run + 10 * i + before),
                  static_cast<std::ptrdiff_t>(length));
        EXPECT_EQ(std::ranges::count(arrived.last(length), 100 * run + 10 * i + rank_of(w)),
                  static_cast<std::ptrdiff_t>(length));
      }
    }
    w.barrier();
  });
}

// The destructor of a schedule drops waiting operations, and the world goes on.
TEST_P(network_schedules, can_be_destroyed_before_they_ran) {
  on_all([](world& w) {
    window<number> data(w, 2);
    data.local()[0] = 7;
    const auto compiled = [&] {
      schedule_builder b(w);
      b.use(data);
      if (w.rank() == 0) b.send(data.local().first(1), 1);
      if (w.rank() == 1) b.receive(data.local().last(1), 0);
      return b.compile(options());
    };
    {
      // The schedule is never started: no operation waits.
      const schedule unused = compiled();
      w.barrier();
    }
    {
      schedule s = compiled();
      expect_by_network(s);
      if (w.rank() == 0 && options().eager_bytes == 0) s.start();  // never granted
      if (w.rank() == 1 && options().eager_bytes != 0) s.start();  // never sent
      w.barrier();
    }
    w.barrier();
    EXPECT_EQ(data.local()[1], 0U);
    schedule_options adapters = options();
    adapters.carrier = schedule_carrier::adapter;
    schedule_builder b(w);
    b.use(data);
    if (w.rank() == 0) b.send(data.local().first(1), 1);
    if (w.rank() == 1) b.receive(data.local().last(1), 0);
    schedule s = b.compile(adapters);
    s.start();
    s.wait();
    EXPECT_EQ(data.local()[1], w.rank() == 1 ? 7U : 0U);
    w.barrier();
  });
}

INSTANTIATE_TEST_SUITE_P(on_nodes, network_schedules, testing::ValuesIn(all_cases()), by_name{});

class network_schedule_use : public testing::TestWithParam<world_shape> {
 protected:
  static void on_all(const std::function<void(world&)>& body) { run_on(GetParam(), body); }
  static schedule_options options() {
    return {
        .eager_bytes = 100, .eager_bytes_within_node = 100, .carrier = schedule_carrier::network};
  }
  static number rank_of(const world& w) { return static_cast<number>(w.rank()); }
};

// PEs call the functions of a schedule in every wait.
TEST_P(network_schedule_use, has_functions_called_by_pes) {
  on_all([](world& w) {
    window<number> data(w, 2 * 700);
    schedule s = sum_along_a_chain(w, data, adding::by_a_function).compile(options());
    if (w.rank() > 0) {
      expect_mentions(s.explain(), {by_network, "by the PE in functions of Boxcar", "function"});
    }
    for (number run = 1; run <= 4; ++run) {
      data.local()[0] = run;
      w.barrier();
      s.start();
      if (w.rank() % 2 == 1) w.barrier();
      s.wait();
      if (w.rank() % 2 == 0) w.barrier();
      EXPECT_EQ(data.local()[0], run * static_cast<number>(w.size()));
    }
    w.barrier();
  });
}

// The wait for a schedule rethrows the exception of a function, and dependent operations do not
// start.
TEST_P(network_schedule_use, has_functions_that_throw) {
  on_all([](world& w) {
    window<number> data(w, 2);
    schedule_builder b(w);
    b.use(data);
    const auto fails = [](std::span<number>) { throw std::out_of_range("seven"); };
    const auto sent = b.send(data.local().first(1), (w.rank() + 1) % w.size());
    b.receive(data.local().last(1));
    b.depend(sent, b.compute(fails, data.local().first(1)));
    data.local()[1] = 5;
    schedule s = b.compile(options());
    w.barrier();
    s.start();
    w.barrier();
    EXPECT_EQ(thrown_by<std::out_of_range>([&] { s.wait(); }), "seven");
    for (const auto& again : std::initializer_list<std::function<void()>>{
             [&] { s.wait(); }, [&] { static_cast<void>(s.test()); }, [&] { s.start(); }}) {
      expect_mentions(thrown_by<contract_error>(again), {"function of run 1", "compile"});
    }
    w.barrier();
    EXPECT_EQ(data.local()[1], 5U);
  });
}

// Progress threads call the functions while all PEs are outside Boxcar.
TEST_P(network_schedule_use, has_functions_called_by_progress_threads) {
  const wanted_progress_threads wanted;
  flags over(1);
  on_all([&over](world& w) {
    window<number> data(w, 2 * 700);
    schedule s = sum_along_a_chain(w, data, adding::by_a_function).compile(options());
    for (number run = 1; run <= 3; ++run) {
      const number sum = run * static_cast<number>(w.size());
      data.local()[0] = run;
      w.barrier();
      s.start();
      stay_outside(0, w, data.local()[0], sum, over[0], run);
      s.wait();
    }
    w.barrier();
  });
}

TEST_P(network_schedule_use, has_numbers_combined_by_pes_that_lie_where_no_network_combines) {
  on_all([](world& w) {
    window<std::byte> data(w, 4 * sizeof(number));
    const auto numbers = [&data](std::size_t at) {
      return std::span(reinterpret_cast<number*>(data.local().data() + at), 1);
    };
    const auto given = numbers(1);
    const auto sum = numbers(1 + sizeof(number));
    schedule_builder b(w);
    b.use(data);
    b.send(given, (w.rank() + 1) % w.size());
    const auto arrived = numbers(1 + 2 * sizeof(number));
    b.depend(b.combine(arrived, sum), b.receive(arrived));
    schedule s = b.compile(options());
    expect_mentions(s.explain(), {by_network, "by the PE in functions of Boxcar", "combine"});
    const auto put = [](std::span<number> into, number n) {
      std::memcpy(into.data(), &n, sizeof n);
    };
    put(sum, 1000);
    put(given, rank_of(w));
    for (number run = 1; run <= 3; ++run) {
      s.start();
      s.wait();
      number is = 0;
      std::memcpy(&is, sum.data(), sizeof is);
      const number before = static_cast<number>((w.rank() + w.size() - 1) % w.size());
      EXPECT_EQ(is, 1000 + run * before);
      w.barrier();
    }
  });
}

TEST_P(network_schedule_use, leaves_to_others_what_the_network_has_no_room_for) {
  on_all([](world& w) {
    window<number> data(w, 2 * 700);
    {
      // The 400 operations need more counters than the provider has.
      schedule_builder b(w);
      b.use(data);
      std::optional<schedule_builder::vertex> last;
      for (std::size_t i = 0; i < 400; ++i) {
        const auto c = b.copy(data.local().subspan(i, 1), data.local().subspan(i + 1, 1));
        if (last) b.depend(c, *last);
        last = c;
      }
      schedule s = b.compile(options());
      expect_mentions(s.explain(), {by_network, "of the 400 operations", "by the PE",
                                    "for which there is no room", "counters, and all are in use"});
      // No operation of another schedule is left to the network.
      schedule other = sum_along_a_chain(w, data).compile(options());
      expect_mentions(other.explain(), {"not left to the network", "counters, and all are in use"});
      data.local()[0] = 77;
      s.start();
      s.wait();
      EXPECT_EQ(data.local()[400], 77U);
    }
    schedule_options unwanted = options();
    unwanted.carrier = schedule_carrier::adapter;
    expect_mentions(sum_along_a_chain(w, data).compile(unwanted).explain(),
                    {"adapter", "schedule_options::carrier says so"});
    unwanted.carrier = schedule_carrier::automatic;
    expect_mentions(sum_along_a_chain(w, data).compile(unwanted).explain(),
                    {"adapter", "not asked for"});
    // Earlier schedules have returned all counters.
    expect_by_network(sum_along_a_chain(w, data).compile(options()));
    w.barrier();
  });
}

TEST_P(network_schedule_use, refuses_what_is_wrong) {
  on_all([](world& w) {
    window<number> data(w, 2);
    std::vector<number> own(1);
    const int next = (w.rank() + 1) % w.size();
    {
      schedule_builder b(w);
      b.use(data);
      b.send(std::span(own), next);
      b.receive(data.local().first(1));
      expect_mentions(thrown_by<argument_error>([&] { static_cast<void>(b.compile(options())); }),
                      {"vertex 0", "cannot reach its memory", "schedule_builder::use"});
    }
    schedule_builder b(w);
    b.use(data);
    b.send(data.local().first(1), next);
    b.receive(data.local().last(1));
    schedule_options other = options();
    if (w.rank() == 1) other.carrier = schedule_carrier::adapter;
    expect_mentions(thrown_by<argument_error>([&] { static_cast<void>(b.compile(other)); }),
                    {"the PEs disagree on", "carrier"});
    schedule s = b.compile(options());
    w.barrier();
    if (w.rank() == 0) {
      s.start();
      // (The message to PE 0 has not been sent.)
      expect_mentions(thrown_by<contract_error>([&] { s.start(); }),
                      {"run 1", "has not ended", "call wait first"});
    }
    w.barrier();
    if (w.rank() != 0) s.start();
    s.wait();
    w.barrier();
  });
}

TEST_P(network_schedule_use, hears_of_failures) {
  const world_report report = observe(GetParam(), [](world& w) {
    window<number> data(w, 2 * 700);
    schedule s = sum_along_a_chain(w, data).compile(options());
    expect_by_network(s);
    if (w.rank() == 1) throw argument_error("it does not like it");
    s.start();
    s.wait();
  });
  for (std::size_t pe = 0; pe < report.pes.size(); ++pe) {
    if (pe == 1) continue;
    EXPECT_EQ(report.pes[pe].end, ending::world_error) << "PE " << pe << report.pes[pe].what;
    expect_mentions(report.pes[pe].what, {"PE 1", "it does not like it"});
  }
}

INSTANTIATE_TEST_SUITE_P(on_nodes, network_schedule_use, testing::ValuesIn(on_nodes(2)), by_name{});

// Tests on a provider without deferred work.
class no_network_schedules : public testing::TestWithParam<world_shape> {};

TEST_P(no_network_schedules, are_refused_if_they_are_asked_for) {
  run_on(GetParam(), [](world& w) {
    window<number> data(w, 2);
    const schedule_builder b = sum_along_a_chain(w, data);
    expect_mentions(thrown_by<argument_error>([&] {
                      static_cast<void>(b.compile({.carrier = schedule_carrier::network}));
                    }),
                    {"schedule_options::carrier is `network`", "FI_TRIGGER", "automatic",
                     "BOXCAR_OFI_PROVIDER", "boxcar info --probe"});
    w.barrier();
    expect_mentions(b.compile().explain(), {"adapter", "not asked for"});
  });
}

INSTANTIATE_TEST_SUITE_P(on_nodes, no_network_schedules, testing::ValuesIn(on_nodes(2)), by_name{});

}  // namespace
}  // namespace boxcar::test::network_schedule_test
