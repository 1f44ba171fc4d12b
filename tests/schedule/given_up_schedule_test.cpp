// Schedules are destroyed while a run is in flight, by the program or by an exception: then no
// other PE reads or writes the memory of their vertices, and none of their functions is called.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <boxcar/schedule.hpp>
#include <boxcar/window.hpp>

#include "support/by_name.hpp"
#include "support/dice.hpp"
#include "support/on_shapes.hpp"
#include "support/run_on.hpp"
#include "support/shared_array.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::given_up_schedule_test {
namespace {

using number = std::uint64_t;

constexpr number nothing = 0;
constexpr number gone = 99;

// Messages of at most `bytes` bytes are eager.
struct eager_up_to {
  std::size_t bytes;
};

std::string name_of(const eager_up_to& e) {
  return e.bytes == 0 ? "rendezvous" : "eager";
}

class given_up_schedules : public testing::TestWithParam<shaped<eager_up_to>> {
 protected:
  static schedule_options options() {
    return {.eager_bytes = GetParam().detail.bytes,
            .eager_bytes_within_node = GetParam().detail.bytes};
  }
  static int next(const world& w) { return (w.rank() + 1) % w.size(); }
  static int before(const world& w) { return (w.rank() + w.size() - 1) % w.size(); }
  static number value_of(int pe) { return 1000 + static_cast<number>(pe); }

  // A PE is busy for a random time, in Boxcar or not.
  static void linger(world& w, dice& d) {
    if (d.chance(30)) return w.sleep(std::chrono::microseconds(d.below(100)));
    for (std::atomic<int> left = d.below(20'000); left > 0; --left) continue;
  }

  static std::size_t length_of(int round) {
    constexpr std::array<std::size_t, 4> lengths{1, 400, 20'000, 200'000};
    return lengths[static_cast<std::size_t>(round / 2) % lengths.size()];
  }

  // Each PE sends `mine` to the next PE.
  static schedule ring(const world& w, const window<number>& data, std::span<number> mine,
                       std::span<number> theirs) {
    schedule_builder b(w);
    b.use(data);
    b.send(mine, next(w), 3);
    b.receive(theirs, before(w), 3);
    return b.compile(options());
  }
};

// The memory belongs to the program as soon as the schedule is destroyed, whatever the other PEs do
// then.
TEST_P(given_up_schedules, leave_memory_alone) {
  run_on(GetParam().shape, [](world& w) {
    constexpr int rounds = 40;
    dice d(program_seed(static_cast<number>(w.rank())));
    for (int round = 0; round < rounds; ++round) {
      const auto length = length_of(round);
      const bool leaves = w.rank() == round % w.size();
      window<number> data(w, 2 * length);
      const auto mine = data.local().first(length);
      const auto theirs = data.local().last(length);
      std::ranges::fill(mine, value_of(w.rank()));
      std::ranges::fill(theirs, nothing);
      std::optional<schedule> s = ring(w, data, mine, theirs);
      w.barrier();
      linger(w, d);
      s->start();
      linger(w, d);
      if (leaves) {
        s.reset();
        std::ranges::fill(data.local(), gone);
      } else if (s->test()) {
        EXPECT_EQ(std::ranges::count(theirs, value_of(before(w))), std::ssize(theirs));
      }
      w.barrier();
      linger(w, d);
      if (!leaves) s.reset();
      w.barrier();
      if (leaves) {
        EXPECT_EQ(std::ranges::count(data.local(), gone), std::ssize(data.local()));
      } else {
        const number sent = value_of(before(w));
        const auto is_wrong = [sent](number n) { return n != nothing && n != sent; };
        EXPECT_EQ(std::ranges::count_if(theirs, is_wrong), 0);
      }
    }
  });
}

// A PE starts when its partner has given up the run already.
TEST_P(given_up_schedules, whose_partner_comes_later) {
  run_on(GetParam().shape, [](world& w) {
    constexpr std::size_t length = 5000;
    const int pairs = w.size() / 2;
    const bool has_partner = w.rank() < 2 * pairs;
    const bool leaves = has_partner && w.rank() % 2 == 1;
    const int partner = w.rank() ^ 1;
    window<number> data(w, length);
    for (const bool receives : {true, false}) {
      std::ranges::fill(data.local(), value_of(w.rank()));
      schedule_builder b(w);
      b.use(data);
      if (has_partner && leaves == receives) b.receive(data.local(), partner, 7);
      if (has_partner && leaves != receives) b.send(data.local(), partner, 7);
      std::optional<schedule> s = b.compile(options());
      if (leaves) {
        s->start();
        s.reset();
        std::ranges::fill(data.local(), gone);
      }
      w.barrier();
      if (!leaves) {
        s->start();
        for (int i = 0; i < 100; ++i) static_cast<void>(s->test());
      }
      w.barrier();
      s.reset();
      w.barrier();
      // Data sent before may be there, but nothing else.
      const auto is_wrong = [&](number n) {
        if (leaves) return n != gone;
        return n != value_of(w.rank()) && n != value_of(partner);
      };
      EXPECT_EQ(std::ranges::count_if(data.local(), is_wrong), 0);
      w.barrier();
    }
  });
}

TEST_P(given_up_schedules, call_no_function_any_more) {
  run_on(GetParam().shape, [](world& w) {
    window<number> data(w, 2);
    const auto mine = data.local().first(1);
    const auto theirs = data.local().last(1);
    std::atomic<bool> is_gone = false;
    std::atomic<bool> is_called = false;
    schedule_builder b(w);
    b.use(data);
    b.send(mine, next(w), 3);
    const auto arrived = b.receive(theirs, before(w), 3);
    b.depend(b.compute(
                 [&](std::span<number>, std::span<const number>) {
                   if (is_gone) is_called = true;
                 },
                 theirs, std::span<const number>(mine)),
             arrived);
    std::optional<schedule> s = b.compile(options());
    if (w.rank() % 2 == 1) {
      s->start();
      s.reset();
      is_gone = true;
    }
    w.barrier();
    if (w.rank() % 2 == 0) s->start();
    w.barrier();
    w.sleep(std::chrono::milliseconds(2));
    w.barrier();
    EXPECT_FALSE(is_called);
    s.reset();
    w.barrier();
  });
}

// The memory of a PE that throws is freed, while the other PEs start and wait. (AddressSanitizer
// detects accesses to the freed memory, where PEs are threads.)
TEST_P(given_up_schedules, by_an_exception) {
  constexpr int tries = 6;
  for (int i = 0; i < tries; ++i) {
    shared_array<std::atomic<bool>> is_wrong(1);
    const world_report report = observe(GetParam().shape, [&](world& w) {
      dice d(program_seed(static_cast<number>(100 * i + w.rank())));
      const std::size_t length = i % 2 == 0 ? 20'000 : 1;
      window<number> data(w, 2 * length);
      // The memory is local to the function, where all PEs can have local memory.
      const bool is_own = GetParam().shape.substrate != substrate_kind::processes &&
                          GetParam().shape.substrate != substrate_kind::cluster;
      std::vector<number> own(is_own ? 2 * length : 0, value_of(w.rank()));
      const std::span<number> all = is_own ? std::span(own) : data.local();
      std::ranges::fill(all.first(length), value_of(w.rank()));
      schedule s = ring(w, data, all.first(length), all.last(length));
      w.barrier();
      linger(w, d);
      if (w.rank() == 1) {
        s.start();
        linger(w, d);
        throw std::runtime_error("no more paper");
      }
      s.start();
      s.wait();
      const auto received = all.last(length);
      if (std::ranges::count(received, value_of(before(w))) != std::ssize(received)) {
        is_wrong[0] = true;
      }
      w.barrier();
    });
    EXPECT_TRUE(report.failed);
    EXPECT_FALSE(is_wrong[0]);
    for (std::size_t pe = 0; pe < report.pes.size(); ++pe) {
      if (report.pes[pe].end == ending::unknown) continue;  // the launcher has ended the PE
      const ending expected = pe == 1 ? ending::other_exception : ending::world_error;
      EXPECT_EQ(report.pes[pe].end, expected) << "PE " << pe << ": " << report.pes[pe].what;
      if (pe != 1) expect_mentions(report.pes[pe].what, {"PE 1", "no more paper"});
    }
  }
}

INSTANTIATE_TEST_SUITE_P(given_up_schedule, given_up_schedules,
                         testing::ValuesIn(on_all_shapes<eager_up_to>(
                             with_at_least(2, small_shapes()), {{0}, {1 << 20}})),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::given_up_schedule_test
