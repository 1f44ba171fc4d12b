// A computing PE holds up only PEs that need the computing PE. Sends of other PEs to the same
// target go on, and so do messages to PEs in functions of Boxcar.
#include <atomic>
#include <chrono>
#include <cstddef>
#include <gtest/gtest.h>
#include <thread>

#include <boxcar/schedule.hpp>
#include <boxcar/window.hpp>

#include "support/run_on.hpp"

namespace boxcar::test::third_party_test {
namespace {

using namespace std::chrono_literals;

// The stages reached by the PEs, here threads, are shared without the use of Boxcar.
class stages {
 public:
  void reach(int stage) { reached_.store(stage); }
  [[nodiscard]] bool is(int stage) const { return reached_.load() >= stage; }
  // Waits without serving other PEs. Returns false after the time that a fault takes.
  [[nodiscard]] bool wait_for(int stage) const {
    while (!is(stage) && !is_late()) std::this_thread::yield();
    return is(stage);
  }
  [[nodiscard]] bool is_late() const { return std::chrono::steady_clock::now() > end_; }

 private:
  std::atomic<int> reached_ = 0;
  std::chrono::steady_clock::time_point end_ = std::chrono::steady_clock::now() + 60s;
};

constexpr world_shape three_nodes{substrate_kind::threads, 3, 3};

// The number of requests that a PE has room for.
constexpr std::size_t requests_at_once = 32;

void fill_mailbox(window<long>& data, int pe) {
  for (std::size_t i = 0; i < requests_at_once; ++i) data.put(1, pe, i);
}

TEST(third_parties, send_to_a_pe_to_which_one_sends_that_computes) {
  stages at;
  run_on(three_nodes, [&at](world& w) {
    window<long> data(w, 2 * requests_at_once);
    schedule_builder graph(w);
    graph.use(data);
    if (w.rank() == 0) graph.send(data.local().first(1), 2);
    if (w.rank() == 2) graph.receive(data.local().last(1), 0);
    schedule one = graph.compile();
    w.barrier();
    if (w.rank() == 0) {
      EXPECT_TRUE(at.wait_for(1));
      one.start();
      at.reach(2);
      EXPECT_TRUE(at.wait_for(3));
    } else if (w.rank() == 1) {
      fill_mailbox(data, 2);
      at.reach(1);
      EXPECT_TRUE(at.wait_for(2));
      for (std::size_t i = 0; i < requests_at_once; ++i) data.put(1, 2, requests_at_once / 2 + i);
      data.flush(2);
      at.reach(3);
    } else {
      EXPECT_TRUE(at.wait_for(2));
      while (!at.is(3) && !at.is_late()) w.idle();
      one.start();
    }
    one.wait();
    w.barrier();
  });
}

TEST(third_parties, get_what_goes_past_a_full_mailbox) {
  stages at;
  run_on(three_nodes, [&at](world& w) {
    window<long> data(w, requests_at_once + 2);
    schedule_builder graph(w);
    graph.use(data);
    if (w.rank() == 0) {
      graph.send(data.local().first(1), 1);
      graph.send(data.local().subspan(1, 1), 2);
    } else {
      graph.receive(data.local().last(1), 0);
    }
    schedule both = graph.compile();
    w.barrier();
    if (w.rank() == 0) {
      EXPECT_TRUE(at.wait_for(1));
      both.start();
      while (!at.is(2) && !at.is_late()) w.idle();
    } else if (w.rank() == 2) {
      both.start();
      fill_mailbox(data, 1);
      at.reach(1);
      while (!both.test() && !at.is_late()) continue;
      EXPECT_FALSE(at.is_late());
      at.reach(2);
    } else {
      EXPECT_TRUE(at.wait_for(2));
      both.start();
    }
    both.wait();
    w.barrier();
  });
}

}  // namespace
}  // namespace boxcar::test::third_party_test
