// Tests of operations whose origin PE is in no function of Boxcar at their execution: within a node
// the PE that fires the operation executes it, between nodes progress threads do. A test would
// never end if an operation were not executed.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <span>

#include <boxcar/adapter.hpp>
#include <boxcar/window.hpp>

#include "support/by_name.hpp"
#include "support/computing_pes.hpp"
#include "support/run_on.hpp"
#include "trigger/allotment.hpp"

namespace boxcar::test::offload_test {
namespace {

using number = std::uint64_t;

class offload : public testing::TestWithParam<world_shape> {
 protected:
  static void on_all(const std::function<void(world&)>& body) { run_on(GetParam(), body); }

 private:
  wanted_progress_threads wanted_;
};

void say_that_it_is_over(const world& w, window<number>& over) {
  for (int pe = 1; pe < w.size(); ++pe) raise_flag(over, pe, 0);
}

// A message goes around all PEs, several times: each PE forwards the message on arrival.
TEST_P(offload, passes_messages_on) {
  on_all([](world& w) {
    constexpr number rounds = 20;
    constexpr std::size_t most = 2000;
    adapter a(w, {.operations = rounds, .memory = most * sizeof(number)});
    window<number> over(w, 1);
    const int next = (w.rank() + 1) % w.size();
    for (const std::size_t length : {std::size_t{1}, most}) {
      const auto token = allotment(a).of<number>(length);
      const event_counter arrived = a.make_counter();
      const match_entry entry = a.make_entry({.memory = bytes_of(token), .counter = arrived});
      a.perform(operation::append{entry});
      const operation::put pass{{.memory = bytes_of(token)}, {next}};
      // PE 0 begins, and has the message when it comes back for the last time.
      const number times = w.rank() == 0 ? rounds - 1 : rounds;
      for (number i = 1; i <= times; ++i) a.when(arrived, i, pass);
      over.local()[0] = 0;
      w.barrier();
      if (w.rank() == 0) {
        std::ranges::fill(token, 42);
        a.perform(pass);
        a.wait(arrived, rounds);
        say_that_it_is_over(w, over);
      } else {
        compute_until(over, 0);
      }
      EXPECT_EQ(std::ranges::count(token, number{42}), std::ssize(token));
      w.barrier();
      a.release(entry);
      a.release(arrived);
      w.barrier();
    }
  });
}

// PE 0 reads and changes memory of the other PEs, whose adapters add, fetch, swap and reply without
// their help.
TEST_P(offload, answers) {
  on_all([](world& w) {
    constexpr number times = 30;
    adapter a(w, {.memory = 1024});
    allotment memory(a);
    const auto numbers = memory.of<number>(2);
    const auto sum = memory.of<number>(1);
    const auto one = memory.of<number>(1);
    const auto seen = memory.of<number>(1);
    one[0] = 1;
    numbers[0] = 1000 * static_cast<number>(w.rank());
    window<number> over(w, 1);
    const event_counter asked = a.make_counter();
    const event_counter collected = a.make_counter();
    a.perform(operation::append{a.make_entry(
        {.memory = bytes_of(numbers), .bits = 1, .allows_get = true, .counter = asked})});
    a.perform(operation::append{
        a.make_entry({.memory = bytes_of(sum), .bits = 2, .counter = collected})});
    // After all requests the PE sends its number to PE 0.
    a.when(asked, 3 * times,
           operation::atomic{
               {.memory = bytes_of(numbers.first(1))}, {0, 2}, number_type_of<number>()});
    w.barrier();
    if (w.rank() == 0) {
      const event_counter here = a.make_counter();
      const memory_descriptor into{
          .memory = bytes_of(seen), .counter = here, .counts_replies = true};
      const memory_descriptor from{.memory = bytes_of(one)};
      const auto type = number_type_of<number>();
      number replies = 0;
      for (number i = 0; i < times; ++i) {
        for (int pe = 0; pe < w.size(); ++pe) {
          const number base = 1000 * static_cast<number>(pe);
          a.perform(operation::get{into, {pe, 1}});
          a.wait(here, ++replies);
          EXPECT_EQ(seen[0], base + i);
          a.perform(operation::fetch_atomic{into, from, {pe, 1}, type});
          a.wait(here, ++replies);
          EXPECT_EQ(seen[0], base + i);
          a.perform(operation::swap{into, from, {pe, 1, sizeof(number)}, type});
          a.wait(here, ++replies);
          EXPECT_EQ(seen[0], i == 0 ? 0U : 1U);
        }
      }
      const auto pes = static_cast<number>(w.size());
      a.wait(collected, pes);
      EXPECT_EQ(sum[0], pes * (pes - 1) / 2 * 1000 + pes * times);
      say_that_it_is_over(w, over);
    } else {
      compute_until(over, 0);
    }
    w.barrier();
  });
}

INSTANTIATE_TEST_SUITE_P(triggers, offload, testing::ValuesIn(several_shapes()), by_name{});

}  // namespace
}  // namespace boxcar::test::offload_test
