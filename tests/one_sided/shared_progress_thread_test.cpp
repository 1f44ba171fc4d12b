// Tests of PEs in threads of one process: the PEs share a progress thread, and no PE waits for
// another because of the thread.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <boxcar/run.hpp>
#include <boxcar/schedule.hpp>
#include <boxcar/window.hpp>

#include "support/computing_pes.hpp"
#include "support/sanitizers.hpp"

namespace boxcar::test::shared_progress_thread_test {
namespace {

using number = std::uint64_t;

constexpr run_options with_thread(int nodes) {
  return {.nodes = nodes, .progress_thread = true};
}

int progress_threads() {
  int found = 0;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string name;
    std::getline(std::ifstream(task.path() / "comm"), name);
    found += name == "boxcar progress" ? 1 : 0;
  }
  return found;
}

// An ended thread may be listed a little longer.
bool is_there_one_progress_thread() {
  using namespace std::chrono_literals;
  const auto latest = std::chrono::steady_clock::now() + 10s;
  while (progress_threads() != 1 && std::chrono::steady_clock::now() < latest) {
    std::this_thread::sleep_for(1ms);
  }
  return progress_threads() == 1;
}

TEST(a_shared_progress_thread, serves_more_pes_than_cores) {
  run(
      24,
      [](world& w) {
        pass_a_token_while_all_compute(w, 5);
        EXPECT_TRUE(is_there_one_progress_thread());
        w.barrier();
      },
      with_thread(24));
}

// Worlds begin and end, of several sizes, while the thread serves other worlds.
TEST(a_shared_progress_thread, serves_several_worlds) {
  std::vector<std::thread> programs;
  for (const int pes : {2, 3, 5}) {
    programs.emplace_back([pes] {
      for (std::size_t rounds = 1; rounds <= 8; ++rounds) {
        run(
            pes, [rounds](world& w) { pass_a_token_while_all_compute(w, rounds); }, with_thread(2));
      }
    });
  }
  for (std::thread& program : programs) program.join();
}

// The thread is in a function of PE 0 until the other PEs have made, used and left worlds.
TEST(a_shared_progress_thread, holds_up_no_pe_that_serves_itself) {
  std::atomic<bool> is_within = false;
  std::atomic<bool> goes_on = false;
  std::atomic<bool> is_over = false;
  const auto stall = [&](std::span<number> sum, std::span<number> more) {
    sum[0] += more[0];
    is_within = true;
    while (!goes_on) std::this_thread::yield();
    is_over = true;
  };
  const auto body = [&](world& w) {
    world others = *w.split(w.rank() < 2 ? 0 : 1, w.rank());
    std::vector<number> sums{1, 2};
    const std::span<number> sum = std::span(sums).first(1);
    const std::span<number> more = std::span(sums).last(1);
    schedule_builder b(w);
    if (w.rank() == 0) b.depend(b.compute(stall, sum, more), b.receive(more, 1));
    if (w.rank() == 1) b.send(more, 0);
    schedule s = b.compile();
    s.start();
    if (w.rank() == 0) {
      while (!is_over) std::this_thread::yield();
    } else if (w.rank() > 1) {
      while (!is_within) std::this_thread::yield();
      for (int i = 0; i < 3; ++i) {
        const world part = *others.split(others.rank() % 2, 0);
        window<number> data(part, 1);
        static_cast<void>(data.fetch_add(1, (part.rank() + 1) % part.size(), 0));
        data.flush();
      }
      others.barrier();
      if (w.rank() == 2) goes_on = true;
    }
    s.wait();
    if (w.rank() == 0) {
      EXPECT_EQ(sum[0], 3);
    }
  };
  run(8, body, with_thread(4));
}

// No thread survives a fork.
TEST(a_shared_progress_thread, is_not_that_of_a_parent) {
  if (with_thread_sanitizer) GTEST_SKIP() << "ThreadSanitizer starts no threads after a fork";
  std::atomic<bool> has_begun = false;
  std::atomic<bool> is_over = false;
  std::thread program([&] {
    run(
        2,
        [&](world& w) {
          window<number> flags(w, 1);
          has_begun = true;
          while (!is_over) std::this_thread::sleep_for(std::chrono::milliseconds(1));
          w.barrier();
        },
        with_thread(2));
  });
  while (!has_begun) std::this_thread::yield();
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    run(
        2, [](world& w) { pass_a_token_while_all_compute(w, 3); }, with_thread(2));
    _exit(0);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  is_over = true;
  program.join();
}

}  // namespace
}  // namespace boxcar::test::shared_progress_thread_test
