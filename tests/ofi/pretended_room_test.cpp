// Tests of schedules offloaded to a network with too few resources, or with refusals in the middle
// of a run: the PEs execute the refused operations themselves, and report it; nothing is lost,
// nothing hangs, and all PEs learn of an unrecoverable error. Run as a job of several processes,
// all of which run all tests.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

#include <boxcar/boxcar.hpp>
#include <boxcar/schedule.hpp>

#include "ofi/pretending_provider.hpp"
#include "schedule/random_graph.hpp"
#include "schedule/sum_along_a_chain.hpp"
#include "support/by_name.hpp"
#include "support/computing_pes.hpp"
#include "support/on_shapes.hpp"
#include "support/run_on.hpp"
#include "support/shared_array.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::pretended_room_test {
namespace {

using number = std::uint64_t;

constexpr int unlucky = 1;  // the PE whose calls are refused
constexpr std::size_t length = 2 * 700;

schedule_options by_network(std::size_t eager_bytes) {
  return {.eager_bytes = eager_bytes,
          .eager_bytes_within_node = eager_bytes,
          .carrier = schedule_carrier::network};
}

std::vector<world_shape> on_two_nodes() {
  std::vector<world_shape> shapes = all_shapes();
  std::erase_if(shapes, [](const world_shape& shape) { return shape.nodes != 2; });
  return shapes;
}

class deferring_on_two_nodes {
 protected:
  deferring_on_two_nodes() { setenv("BOXCAR_OFI_PROVIDER", "sockets", 1); }
  ~deferring_on_two_nodes() {
    refuse_nothing();
    pretend({});
    unsetenv("BOXCAR_OFI_PROVIDER");
    EXPECT_EQ(take_violations(), std::vector<std::string>());
  }
};

// --- Too little room -----------------------------------------------------------------------------

// 0: as much as the provider has.
struct room {
  std::size_t counters;
  std::size_t operations;
};

std::string name_of(const room& r) {
  return "counters" + std::to_string(r.counters) + "_operations" + std::to_string(r.operations);
}

class a_network_with_little_room : public testing::TestWithParam<shaped<room>>,
                                   protected deferring_on_two_nodes {
 protected:
  a_network_with_little_room() {
    const room& r = GetParam().detail;
    pretend({.name = "little room", .sends = r.operations, .counters = r.counters});
  }
};

TEST_P(a_network_with_little_room, has_the_rest_done_by_pes) {
  run_on(GetParam().shape, [](world& w) {
    constexpr std::uint64_t seed = 5;
    window<number> data(w, random_graph::slots * random_graph::most);
    random_graph g(w, data, seed, random_graph::functions::some, 90);
    schedule s = g.compile(by_network(100));
    const std::string text = s.explain();
    expect_mentions(text, {"left to the network", "operations of its"});
    const bool is_too_much = text.find("for which there is no room: sockets") != text.npos;
    EXPECT_GT(w.reduce(is_too_much ? 1 : 0), 0);
    expect_runs_as_by_hand(w, data, g, s, 3);
  });
}

class progress_threads_where_there_is_little_room : public a_network_with_little_room {};

TEST_P(progress_threads_where_there_is_little_room, do_the_rest) {
  const wanted_progress_threads wanted;
  shared_array<std::atomic<number>> over(1);
  run_on(GetParam().shape, [&over](world& w) {
    window<number> data(w, length);
    schedule s = sum_along_a_chain(w, data).compile(by_network(100));
    const auto pes = static_cast<number>(w.size());
    for (number run = 1; run <= 3; ++run) {
      std::ranges::fill(data.local().first(length / 2), run);
      w.barrier();
      s.start();
      // Outside of Boxcar, until PE 0 sees the sum.
      const std::atomic_ref<number> first(data.local()[0]);
      while (w.rank() == 0 && first.load(std::memory_order_acquire) != run * pes) {
        std::this_thread::yield();
      }
      if (w.rank() == 0) over[0].store(run, std::memory_order_release);
      while (over[0].load(std::memory_order_acquire) != run) std::this_thread::yield();
      s.wait();
      EXPECT_EQ(std::ranges::count(data.local().first(length / 2), run * pes),
                static_cast<std::ptrdiff_t>(length / 2));
    }
    w.barrier();
  });
}

const std::vector<room> rooms{{4, 0}, {0, 1}, {20, 10}};

INSTANTIATE_TEST_SUITE_P(that_pretends, a_network_with_little_room,
                         testing::ValuesIn(on_shapes(on_two_nodes(), rooms)), by_name{});
INSTANTIATE_TEST_SUITE_P(that_pretends, progress_threads_where_there_is_little_room,
                         testing::ValuesIn(on_shapes<room>(on_two_nodes(), {{12, 0}})), by_name{});

// --- Refused in the middle -----------------------------------------------------------------------

class a_network_that_refuses : public testing::TestWithParam<world_shape>,
                               protected deferring_on_two_nodes {};

// PEs wait in other functions, too.
void run_along_the_chain(world& w, schedule& s, window<number>& data, number run) {
  std::ranges::fill(data.local().first(length / 2), run);
  w.barrier();
  s.start();
  if (w.rank() % 2 == 1) w.barrier();
  s.wait();
  if (w.rank() % 2 == 0) w.barrier();
  const number sum = run * static_cast<number>(w.size());
  EXPECT_EQ(std::ranges::count(data.local().first(length / 2), sum),
            static_cast<std::ptrdiff_t>(length / 2));
}

// The refusals: the first call, one in the middle, one at a restart, several, and all.
TEST_P(a_network_that_refuses, has_it_done_by_the_pe_from_then_on) {
  constexpr const char* queuing = "deferred work";
  const std::vector<refused_call> all{{.function = queuing},
                                      {.function = queuing, .spared = 5},
                                      {.function = queuing, .spared = 12},
                                      {.function = queuing, .spared = 2, .refused = 4},
                                      {.function = queuing, .refused = all_of_them}};
  run_on(GetParam(), [&all](world& w) {
    window<number> data(w, length);
    std::size_t eager_bytes = 0;
    for (const refused_call& unwanted : all) {
      schedule s = sum_along_a_chain(w, data).compile(by_network(eager_bytes));
      expect_mentions(s.explain(), {"carries out all", "neither the PE"});
      refuse_nothing();
      if (w.rank() == unlucky) refuse(unwanted);
      for (number run = 1; run <= 2; ++run) run_along_the_chain(w, s, data, run);
      const int refused = count_refused();
      EXPECT_EQ(refused > 0, w.rank() == unlucky);
      if (w.rank() == unlucky) {
        expect_mentions(s.explain(), {std::to_string(refused) + " that it has refused",
                                      "FI_QUEUE_WORK", "Input/output error", "by the PE"});
      }
      eager_bytes = eager_bytes == 0 ? length * sizeof(number) : 0;
    }
    w.barrier();
  });
}

INSTANTIATE_TEST_SUITE_P(in_the_middle, a_network_that_refuses, testing::ValuesIn(on_two_nodes()),
                         by_name{});

// The PE with the failure waits for the schedule, or in another function.
struct failure {
  std::string name;
  refused_call what;
  bool is_waited_for;
};

std::string name_of(const failure& f) {
  return f.name;
}

class a_network_that_fails : public testing::TestWithParam<shaped<failure>>,
                             protected deferring_on_two_nodes {};

TEST_P(a_network_that_fails, is_named_to_all_pes) {
  const failure& f = GetParam().detail;
  if (f.what.function.find("fi_writemsg") != std::string::npos) {
    pretend({.name = "little room", .sends = 1});
  }
  const world_report report = observe(GetParam().shape, [&](world& w) {
    window<number> data(w, length);
    schedule s = sum_along_a_chain(w, data).compile(by_network(0));
    if (w.rank() == unlucky) refuse(f.what);
    const bool meets_first = w.rank() == unlucky && !f.is_waited_for;
    for (number run = 1; run <= 4; ++run) {
      s.start();
      if (meets_first) w.barrier();
      s.wait();
      if (!meets_first) w.barrier();
    }
  });
  EXPECT_TRUE(report.failed);
  for (std::size_t pe = 0; pe < report.pes.size(); ++pe) {
    const pe_report& its = report.pes[pe];
    EXPECT_EQ(its.end, pe == unlucky ? ending::system_error : ending::world_error)
        << "PE " << pe << its.what;
    expect_mentions(its.what, {"a put of ", " bytes to PE ",
                               "has failed: ", "schedule_carrier::adapter", "BOXCAR_OFI_PROVIDER"});
    if (pe != unlucky) expect_mentions(its.what, {"PE 1: "});
  }
}

const std::vector<failure> failures{
    {"at_the_end_of_one", {.function = "the end of deferred work"}, true},
    {"at_the_end_of_one_of_the_second_run",
     {.function = "the end of deferred work", .spared = 9},
     false},
    {"when_the_pe_puts", {.function = "fi_writemsg", .spared = 1}, false},
    {"at_the_end_of_what_the_pe_puts", {.function = "the end of fi_writemsg", .spared = 1}, true}};

INSTANTIATE_TEST_SUITE_P(in_the_middle, a_network_that_fails,
                         testing::ValuesIn(on_shapes(on_two_nodes(), failures)), by_name{});

}  // namespace
}  // namespace boxcar::test::pretended_room_test
