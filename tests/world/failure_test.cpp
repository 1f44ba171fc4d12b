// Tests of a PE that fails, leaves, or calls other collectives than the other PEs: the other PEs
// get world_error, and no PE hangs.
#include <array>
#include <chrono>
#include <functional>
#include <gtest/gtest.h>
#include <optional>
#include <stdexcept>

#include <boxcar/conveyor.hpp>
#include <boxcar/error.hpp>

#include "substrate/own_memory.hpp"
#include "support/by_name.hpp"
#include "support/on_shapes.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

// Sanitizers must let an allocation fail as the system does, rather than end the program.
extern "C" const char* __asan_default_options();
extern "C" const char* __tsan_default_options();
extern "C" const char* __asan_default_options() {
  return "allocator_may_return_null=1";
}
extern "C" const char* __tsan_default_options() {
  return "allocator_may_return_null=1";
}

namespace boxcar::test::failure_test {
namespace {

using namespace std::chrono_literals;

using action = std::function<void(world&)>;

// Expects world_error on the PEs from `first` on. (Processes may be ended before.)
void expect_world_errors(const world_report& report, std::size_t first,
                         std::initializer_list<std::string_view> mentions) {
  EXPECT_TRUE(report.failed);
  for (std::size_t pe = first; pe < report.pes.size(); ++pe) {
    if (report.pes[pe].end == ending::unknown) continue;
    EXPECT_EQ(report.pes[pe].end, ending::world_error) << "PE " << pe << report.pes[pe].what;
    expect_mentions(report.pes[pe].what, mentions);
  }
}

// All the ways to wait for other PEs.
struct waiting_case {
  std::string name;
  action wait;
};

std::string name_of(const waiting_case& c) {
  return c.name;
}

struct large {
  char bytes[1000];
};

void run_session(world& w) {
  conveyor<int> c(w);
  const session s = c.begin();
  while (c.advance(true)) {
  }
}

const std::vector<waiting_case> ways_to_wait{
    {"barrier", [](world& w) { w.barrier(); }},
    {"broadcast", [](world& w) { static_cast<void>(w.broadcast(1)); }},
    {"gather", [](world& w) { static_cast<void>(w.all_gather(1)); }},
    {"large_gather", [](world& w) { static_cast<void>(w.all_gather(large{})); }},
    {"reduce", [](world& w) { static_cast<void>(w.reduce(1)); }},
    {"gather_of_any_size", [](world& w) { static_cast<void>(w.gather(std::string("text"), 1)); }},
    {"scan", [](world& w) { static_cast<void>(w.scan(1)); }},
    {"split", [](world& w) { static_cast<void>(w.split(0)); }},
    {"conveyor", run_session},
};

class waiting_pes : public testing::TestWithParam<shaped<waiting_case>> {
 protected:
  // PE 0 calls `first`, the other PEs wait for PE 0.
  world_report observe_others(const action& first) {
    return observe(GetParam().shape, [&](world& w) {
      if (w.rank() == 0) {
        first(w);
      } else {
        GetParam().detail.wait(w);
      }
    });
  }
};

TEST_P(waiting_pes, hear_of_an_exception) {
  const world_report report =
      observe_others([](world&) { throw std::runtime_error("no more paper"); });
  EXPECT_EQ(report.pes[0].end, ending::other_exception);
  expect_world_errors(report, 1, {"PE 0", "no more paper"});
  if (GetParam().shape.substrate == substrate_kind::threads) {
    EXPECT_EQ(report.failure, "no more paper");
  }
}

TEST_P(waiting_pes, hear_of_an_exception_that_comes_late) {
  const world_report report = observe_others([](world& w) {
    w.sleep(20ms);
    throw std::runtime_error("no more paper");
  });
  expect_world_errors(report, 1, {"PE 0", "no more paper"});
}

TEST_P(waiting_pes, hear_of_a_pe_that_has_left) {
  const world_report report = observe_others([](world&) {});
  EXPECT_EQ(report.pes[0].end, ending::returned);
  expect_world_errors(report, 1, {"PE 0 has left"});
}

TEST_P(waiting_pes, hear_of_a_pe_that_leaves_late) {
  const world_report report = observe_others([](world& w) { w.sleep(20ms); });
  expect_world_errors(report, 1, {"PE 0 has left"});
}

// PE 0 polls no more, and takes none of the messages that come now.
TEST_P(waiting_pes, that_come_late_hear_of_a_pe_that_has_left) {
  const world_report report = observe(GetParam().shape, [&](world& w) {
    if (w.rank() == 0) return;
    w.sleep(20ms);
    GetParam().detail.wait(w);
  });
  EXPECT_EQ(report.pes[0].end, ending::returned);
  expect_world_errors(report, 1, {"has left"});
}

TEST_P(waiting_pes, hear_of_a_pe_that_has_left_a_part_of_the_world) {
  const world_report report = observe(GetParam().shape, [&](world& w) {
    std::optional<world> part = w.split(0);
    if (w.rank() == 0) {
      part.reset();
      w.barrier();
    } else {
      GetParam().detail.wait(*part);
    }
  });
  expect_world_errors(report, 0, {"PE 0 has left"});
}

// The part is gone before the exception has left the function.
TEST_P(waiting_pes, hear_why_a_pe_has_left_a_part_of_the_world) {
  const world_report report = observe(GetParam().shape, [&](world& w) {
    std::optional<world> part = w.split(0);
    if (w.rank() == 0) throw std::runtime_error("no more paper");
    GetParam().detail.wait(*part);
  });
  expect_world_errors(report, 1, {"PE 0", "no more paper"});
}

// A PE that goes on regardless gets the error again, rather than meet PEs in other collectives.
TEST_P(waiting_pes, hear_of_it_whatever_they_call_next) {
  const world_report report = observe(GetParam().shape, [&](world& w) {
    if (w.rank() == 0) throw std::runtime_error("no more paper");
    try {
      GetParam().detail.wait(w);
    } catch (const world_error&) {
      static_cast<void>(w.reduce(std::array<char, 24>{}, [](auto a, auto) { return a; }));
    }
  });
  expect_world_errors(report, 1, {"PE 0", "no more paper"});
}

std::vector<world_shape> several_pes() {
  return with_at_least(2, small_shapes());
}

INSTANTIATE_TEST_SUITE_P(world, waiting_pes,
                         testing::ValuesIn(on_shapes(several_pes(), ways_to_wait)), by_name{});

struct mismatch_case {
  std::string name;
  action first;
  action others;
  std::vector<std::string> mentions;
};

std::string name_of(const mismatch_case& c) {
  return c.name;
}

const std::vector<mismatch_case> mismatches{
    {"kinds",
     [](world& w) { w.barrier(); },
     [](world& w) { static_cast<void>(w.reduce(1)); },
     {"barrier", "reduce"}},
    {"sizes",
     [](world& w) { static_cast<void>(w.broadcast(1)); },
     [](world& w) { static_cast<void>(w.broadcast('c')); },
     {"broadcast of 4", "broadcast of 1 "}},
    {"large_sizes",
     [](world& w) { static_cast<void>(w.broadcast(1)); },
     [](world& w) { static_cast<void>(w.broadcast(large{})); },
     {"broadcast of 4", "broadcast of 1000"}},
    {"roots",
     [](world& w) { static_cast<void>(w.broadcast(1, 0)); },
     [](world& w) { static_cast<void>(w.broadcast(1, 1)); },
     {"root 0", "root 1"}},
    {"types",
     [](world& w) { static_cast<void>(w.reduce(1L)); },
     [](world& w) { static_cast<void>(w.reduce(1.0)); },
     {"reduce of 8 bytes", "of type long", "of type double"}},
    {"lengths",
     [](world& w) { static_cast<void>(w.reduce(std::vector<int>(3))); },
     [](world& w) { static_cast<void>(w.reduce(std::vector<int>(4))); },
     {"reduce of 12 bytes", "reduce of 16 bytes"}},
    {"types_of_elements",
     [](world& w) { static_cast<void>(w.gather(std::vector<int>(3))); },
     [](world& w) { static_cast<void>(w.gather(std::vector<float>(7))); },
     {"of type int", "of type float"}},
    {"types_of_what_is_broadcast",
     [](world& w) { static_cast<void>(w.broadcast(std::vector<int>(3))); },
     [](world& w) { static_cast<void>(w.broadcast(std::string("text"))); },
     {"vector<int", "basic_string<char"}},
    {"roots_of_gathers",
     [](world& w) { static_cast<void>(w.gather(1, 0)); },
     [](world& w) { static_cast<void>(w.gather(1, 1)); },
     {"root 0", "root 1"}},
    {"scan_and_reduce",
     [](world& w) { static_cast<void>(w.scan(1)); },
     [](world& w) { static_cast<void>(w.reduce(1)); },
     {"scan of 4", "reduce of 4"}},
    {"split",
     [](world& w) { static_cast<void>(w.split(0)); },
     [](world& w) { w.barrier(); },
     {"split", "barrier"}},
    {"one_more", [](world& w) { w.barrier(); }, [](world&) {}, {}},
    {"conveyor", run_session, [](world& w) { static_cast<void>(w.split(0)); }, {"split"}},
};

class different_collectives : public testing::TestWithParam<shaped<mismatch_case>> {};

TEST_P(different_collectives, are_told_to_all) {
  const mismatch_case& mismatch = GetParam().detail;
  const world_report report = observe(GetParam().shape, [&](world& w) {
    for (int i = 0; i < 5; ++i) w.barrier();  // later data differs from data of these
    if (w.rank() == 0) {
      mismatch.first(w);
    } else {
      mismatch.others(w);
    }
    w.barrier();  // for the case that one PE calls one collective more
    w.barrier();
  });
  EXPECT_TRUE(report.failed);
  for (const pe_report& pe : report.pes) {
    if (pe.end == ending::unknown || pe.end == ending::returned) continue;
    EXPECT_EQ(pe.end, ending::world_error);
    for (const std::string& part : mismatch.mentions) expect_mentions(pe.what, {part});
  }
}

INSTANTIATE_TEST_SUITE_P(world, different_collectives,
                         testing::ValuesIn(on_shapes(several_pes(), mismatches)), by_name{});

class failure : public testing::TestWithParam<world_shape> {};

TEST_P(failure, ends_sleeping_and_idling) {
  const world_report report = observe(GetParam(), [](world& w) {
    if (w.rank() == 0) throw std::runtime_error("wake up");
    const auto start = w.now();
    while (w.now() - start < 20s) {
      if (w.rank() == 1) {
        w.idle();
      } else {
        w.sleep(1ms);
      }
    }
  });
  expect_world_errors(report, 1, {"PE 0", "wake up"});
}

TEST_P(failure, lasts) {
  const world_report report = observe(GetParam(), [](world& w) {
    if (w.rank() == 0) throw std::runtime_error("for good");
    for (int i = 0; i < 3; ++i) {
      expect_mentions(thrown_by<world_error>([&] { w.barrier(); }), {"PE 0", "for good"});
    }
  });
  EXPECT_TRUE(report.failed);
}

TEST_P(failure, reaches_every_part) {
  const world_report report = observe(GetParam(), [](world& w) {
    std::optional<world> part = w.split(w.rank() == 0 ? 0 : 1);
    if (w.rank() == 0) throw std::runtime_error("elsewhere");
    while (true) part->barrier();
  });
  expect_world_errors(report, 1, {"PE 0", "elsewhere"});
}

TEST_P(failure, of_several_pes_at_once_is_that_of_the_first) {
  const world_report report = observe(
      GetParam(), [](world& w) { throw std::runtime_error("number " + std::to_string(w.rank())); });
  EXPECT_TRUE(report.failed);
  for (const pe_report& pe : report.pes) {
    if (pe.end != ending::unknown) {
      EXPECT_EQ(pe.end, ending::other_exception);
    }
  }
  if (GetParam().substrate == substrate_kind::threads) {
    expect_mentions(report.failure, {"number "});
  }
}

TEST_P(failure, may_be_something_that_is_no_exception) {
  const world_report report = observe(GetParam(), [](world& w) {
    if (w.rank() == 0) throw 42;
    w.barrier();
  });
  expect_world_errors(report, 1, {"PE 0"});
}

// The world fails, whether the PE handles the error or not.
TEST_P(failure, may_be_that_there_is_no_memory) {
  const world_report report = observe(GetParam(), [](world& w) {
    if (w.rank() == 0) {
      constexpr std::size_t far_too_much = std::size_t{1} << 60;
      expect_mentions(thrown_by<system_error>([&] {
                        const detail::own_memory none(*w.substrate(), nullptr, far_too_much,
                                                      "buffers");
                      }),
                      {"PE 0", "no memory", "buffers"});
    } else {
      w.barrier();
    }
  });
  expect_world_errors(report, 1, {"PE 0", "no memory", "buffers"});
}

// A world is needed by its members only.
TEST_P(failure, is_not_what_a_pe_does_that_leaves_when_it_may) {
  run_on(GetParam(), [](world& w) {
    std::optional<world> others = w.split(w.rank() == 0 ? -1 : 0);
    if (w.rank() == 0) return;
    for (int i = 0; i < 20; ++i) {
      others->sleep(1ms);
      others->barrier();
    }
    run_session(*others);
    for (int i = 0; i < 20; ++i) others->idle();
  });
}

INSTANTIATE_TEST_SUITE_P(world, failure, testing::ValuesIn(several_pes()), by_name{});

}  // namespace
}  // namespace boxcar::test::failure_test
