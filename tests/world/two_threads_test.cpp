// Tests that a world belongs to one thread: a call of another thread is refused, and changes
// nothing.
#include <chrono>
#include <exception>
#include <functional>
#include <gtest/gtest.h>
#include <thread>
#include <utility>

#include <boxcar/boxcar.hpp>

#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::two_threads_test {
namespace {

// Rethrows the exception of the action.
void on_another_thread(const std::function<void()>& action) {
  std::exception_ptr thrown;
  std::thread([&] {
    try {
      action();
    } catch (...) {
      thrown = std::current_exception();
    }
  }).join();
  if (thrown != nullptr) std::rethrow_exception(thrown);
}

void expect_refused(const std::function<void()>& action) {
  expect_mentions(thrown_by<contract_error>([&] { on_another_thread(action); }),
                  {"on another thread than that of PE", "take_over"});
}

class another_thread : public testing::TestWithParam<world_shape> {};

TEST_P(another_thread, calls_no_function_of_a_world) {
  run_on(GetParam(), [](world& w) {
    expect_refused([&] { w.barrier(); });
    expect_refused([&] { static_cast<void>(w.broadcast(1)); });
    expect_refused([&] { static_cast<void>(w.all_gather(1)); });
    expect_refused([&] { static_cast<void>(w.reduce(1)); });
    expect_refused([&] { static_cast<void>(w.split(0)); });
    expect_refused([&] { w.sleep(std::chrono::nanoseconds(1)); });
    expect_refused([&] { w.idle(); });
    expect_refused([&] { const conveyor<int> c(w); });
    expect_refused([&] { const elastic_conveyor c(w, 100); });
    expect_refused([&] { const biconveyor<int, int> b(w); });
    expect_refused([&] { const stream<int> s(w, [](int) {}); });
    expect_refused([&] {
      exchange<int>(
          w, [](auto&) {}, [](int) {});
    });
    EXPECT_EQ(w.reduce(1), w.size());
  });
}

TEST_P(another_thread, uses_no_conveyor) {
  run_on(GetParam(), [](world& w) {
    conveyor<int> c(w);
    expect_refused([&] { static_cast<void>(c.begin()); });
    expect_refused([&] { c.set_codec(nullptr); });
    int pulled = 0;
    {
      const session scope = c.begin();
      expect_refused([&] { static_cast<void>(c.push(1, 0)); });
      EXPECT_TRUE(c.push(1, (w.rank() + 1) % w.size()));
      expect_refused([&] { static_cast<void>(c.advance(true)); });
      EXPECT_EQ(c.state(), conveyor_state::working);
      int item = 0;
      expect_refused([&] { static_cast<void>(c.pull(item)); });
      while (c.advance(true)) {
        while (c.pull(item)) ++pulled;
      }
      expect_refused([&] { c.reset(); });
    }
    EXPECT_EQ(pulled, 1);
  });
}

TEST_P(another_thread, uses_no_biconveyor) {
  run_on(GetParam(), [](world& w) {
    biconveyor<int, int> b(w);
    const auto answer = [](int query) { return query + 1; };
    expect_refused([&] { static_cast<void>(b.begin(answer)); });
    const session scope = b.begin(answer);
    EXPECT_TRUE(b.push(1, 0));
    expect_refused([&] { static_cast<void>(b.advance(true)); });
    int reply = 0;
    while (b.advance(true)) {
      while (b.pull(reply)) continue;
    }
    EXPECT_EQ(reply, 2);
    expect_refused([&] { b.reset(); });
  });
}

TEST_P(another_thread, uses_no_stream) {
  run_on(GetParam(), [](world& w) {
    int handled = 0;
    stream<int> s(w, [&](int) { ++handled; });
    expect_refused([&] { static_cast<void>(s.begin()); });
    const session scope = s.begin(counting(w.size()));
    s.send(1, (w.rank() + 1) % w.size());
    expect_refused([&] { static_cast<void>(s.poll()); });
    expect_refused([&] { s.flush(); });
    expect_refused([&] { s.done(); });
    expect_refused([&] { s.finish(); });
    s.done();
    s.finish();
    EXPECT_EQ(handled, 1);
  });
}

TEST_P(another_thread, may_take_over) {
  run_on(GetParam(), [](world& w) {
    conveyor<int> c(w);
    on_another_thread([&] {
      w.take_over();
      EXPECT_EQ(w.reduce(1), w.size());
      const session scope = c.begin();
      EXPECT_TRUE(c.push(w.rank(), w.rank()));
      while (c.advance(true)) {
        for (int item = 0; c.pull(item);) EXPECT_EQ(item, w.rank());
      }
    });
    w.take_over();
    world part = *w.split(0);
    on_another_thread([&part] {
      world mine = std::move(part);
      mine.take_over();
      mine.barrier();
    });
    const session scope = c.begin();
    expect_mentions(thrown_by<contract_error>([&] { w.take_over(); }), {"session", "complete it"});
    while (c.advance(true)) continue;
  });
}

INSTANTIATE_TEST_SUITE_P(world, another_thread,
                         testing::ValuesIn(or_cluster({{substrate_kind::threads, 1, 1},
                                                       {substrate_kind::threads, 3, 2},
                                                       {substrate_kind::processes, 2, 1}})),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::two_threads_test
