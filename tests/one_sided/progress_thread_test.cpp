// PEs that compute for long, in no function of Boxcar, while others want something of them: with a
// progress thread these get it. A test in which it did not come would never end.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <iterator>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <boxcar/append_buffer.hpp>
#include <boxcar/counter.hpp>
#include <boxcar/error.hpp>
#include <boxcar/run.hpp>
#include <boxcar/window.hpp>

#include "one_sided/rpc_engine.hpp"
#include "support/by_name.hpp"
#include "support/computing_pes.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::progress_thread_test {
namespace {

using number = std::uint64_t;

std::ptrdiff_t threads_of_this_process() {
  const std::filesystem::directory_iterator all("/proc/self/task");
  return std::distance(begin(all), end(all));
}

class progress_threads : public testing::TestWithParam<world_shape> {
 protected:
  static void on_all(const std::function<void(world&)>& body) { run_on(GetParam(), body); }

 private:
  wanted_progress_threads wanted_;
};

// PE 0 computes while every other PE has its way with what it has.
TEST_P(progress_threads, serve_while_the_pe_computes) {
  on_all([](world& w) {
    constexpr std::size_t each = 1000;  // more than a message
    window<number> flags(w, 1);
    window<number> sums(w, 3);
    window<number> data(w, each * static_cast<std::size_t>(w.size()));
    std::vector<counter> counters;
    std::vector<append_buffer<number>> buffers;
    for (const managed_by by : {managed_by::receiver, managed_by::sender}) {
      counters.emplace_back(w, counter_options{.managed = by});
      buffers.emplace_back(w, 4 * static_cast<std::size_t>(w.size()),
                           append_options{.managed = by});
    }
    const auto others = static_cast<number>(w.size() - 1);
    if (w.rank() == 0) {
      if (others != 0) compute_until(flags, 0);
    } else {
      for (int i = 0; i < 10; ++i) {
        static_cast<void>(sums.fetch_add(1, 0, 0));
        sums.add(2, 0, 1);
      }
      const std::size_t mine = each * static_cast<std::size_t>(w.rank());
      data.put(std::vector<number>(each, 7), 0, mine);
      data.flush();
      EXPECT_EQ(data.get(0, mine + each - 1), 7U);
      for (counter& c : counters) {
        c.add(0);
        data.put(9, 0, mine, c);
      }
      for (append_buffer<number>& b : buffers) {
        EXPECT_EQ(b.push(std::vector<number>{1, 2, 3}, 0), 3U);
        b.push_nbi(std::vector<number>{4}, 0);
        b.flush();
      }
      sums.flush();
      data.flush();
      const number come = sums.fetch_add(1, 0, 2) + 1;
      if (come == others) raise_flag(flags, 0, 0);
    }
    w.barrier();
    if (w.rank() == 0) {
      EXPECT_EQ(sums.local()[0], 10 * others);
      EXPECT_EQ(sums.local()[1], 20 * others);
      EXPECT_EQ(std::ranges::count(data.local(), 9U), w.size() - 1);
      EXPECT_EQ(std::ranges::count(data.local(), 7U), std::ptrdiff_t{each - 1} * (w.size() - 1));
      for (const counter& c : counters) EXPECT_EQ(c.value(), 2 * (w.size() - 1));
      for (append_buffer<number>& b : buffers) {
        const auto all = b.arrived();
        EXPECT_EQ(std::accumulate(all.begin(), all.end(), number{0}), 10 * others);
      }
    }
    w.barrier();
  });
}

TEST_P(progress_threads, carry_a_token_round_while_all_compute) {
  on_all([](world& w) {
    pass_a_token_while_all_compute(w, 20);
    w.barrier();
  });
}

// What a PE has asked for is taken in by its thread, and is there when it flushes.
TEST_P(progress_threads, take_replies) {
  on_all([](world& w) {
    window<number> flags(w, 1);
    window<number> data(w, 1000);
    std::ranges::fill(data.local(), static_cast<number>(w.rank()));
    w.barrier();
    const int next = (w.rank() + 1) % w.size();
    for (int round = 0; round < 20; ++round) {
      std::vector<number> into(1000);
      data.get_nbi(into, next, 0);
      std::this_thread::sleep_for(std::chrono::milliseconds(round % 4));
      data.flush(next);
      EXPECT_EQ(std::ranges::count(into, static_cast<number>(next)), 1000);
    }
    w.barrier();
  });
}

// None for each of what a PE has made.
TEST_P(progress_threads, are_as_many_for_several_worlds) {
  on_all([](world& w) {
    w.barrier();  // all have begun
    const auto before = threads_of_this_process();
    w.barrier();
    {
      std::vector<world> parts;
      for (int i = 0; i < 3; ++i) parts.push_back(*w.split(0, i % 2 == 0 ? w.rank() : -w.rank()));
      std::vector<window<number>> flags;
      flags.emplace_back(w, 1);
      for (const world& part : parts) flags.emplace_back(part, 1);
      w.barrier();
      EXPECT_EQ(threads_of_this_process(), before);
      for (std::size_t i = 0; i < parts.size(); ++i) {
        const int next = (parts[i].rank() + 1) % parts[i].size();
        raise_flag(flags[i + 1], next, 0);
        compute_until(flags[i + 1], 0);
      }
    }
    w.barrier();
  });
}

TEST_P(progress_threads, are_what_a_world_explains) {
  on_all([](world& w) {
    const std::string text = w.explain_progress();
    expect_mentions(text, {"of this node, of " + std::to_string(w.local_size()) + " PE",
                           "by its progress thread while it computes"});
    const std::string others = std::to_string(w.nodes() - 1) + " other node";
    EXPECT_EQ(text.find(others) != std::string::npos, w.nodes() > 1) << text;
  });
}

TEST_P(progress_threads, follow_a_world_to_another_thread) {
  on_all([](world& w) {
    window<number> flags(w, 2);
    const int next = (w.rank() + 1) % w.size();
    std::thread([&] {
      w.take_over();
      raise_flag(flags, next, 0);
      compute_until(flags, 0);
    }).join();
    w.take_over();
    raise_flag(flags, next, 1);
    compute_until(flags, 1);
    w.barrier();
  });
}

// Each PE waits in Boxcar for what the progress thread may have taken in.
TEST_P(progress_threads, wake_a_pe_that_waits) {
  on_all([](world& w) {
    counter c(w);
    const int next = (w.rank() + 1) % w.size();
    for (int round = 1; round <= 50; ++round) {
      if (w.rank() == 0) c.add(next);
      c.wait(round);
      if (w.rank() != 0) c.add(next);
    }
    w.barrier();
  });
}

TEST(worlds_without_progress_threads, tell_how_to_get_them) {
  run_on({substrate_kind::threads, 2, 2}, [](world& w) {
    expect_mentions(w.explain_progress(), {"1 other node", "when it calls a function of Boxcar",
                                           "BOXCAR_PROGRESS_THREAD=1"});
  });
}

INSTANTIATE_TEST_SUITE_P(one_sided, progress_threads, testing::ValuesIn(several_shapes()),
                         by_name{});

constexpr run_options with_threads{.nodes = 2, .progress_thread = true};

// The program asks for them itself.
TEST(progress_thread_option, is_one_of_run) {
  run(
      2,
      [](world& w) {
        window<number> flags(w, 1);
        raise_flag(flags, 1 - w.rank(), 0);
        compute_until(flags, 0);
        w.barrier();
      },
      with_threads);
}

// PE 1 waits for PE 0, which fails.
TEST(progress_thread_option, does_not_hide_a_failure) {
  const auto fail = [](world& w) {
    window<number> flags(w, 1);
    if (w.rank() == 0) throw system_error("out of luck");
    for (;;) static_cast<void>(flags.fetch_add(1, 0, 0));
  };
  expect_mentions(thrown_by<system_error>([&] { run(2, fail, with_threads); }), {"out of luck"});
}

// What cannot be carried out becomes an error of the PE, in the next function that waits.
TEST(progress_thread_option, hands_problems_to_the_pe) {
  static std::atomic<bool> has_thrown;
  class refusing final : public detail::remote_object {
   public:
    void execute(const detail::request&, std::span<const std::byte>, detail::reply_room&) override {
      has_thrown = true;
      throw system_error("no such luck");
    }
  };
  const auto ask = [](world& w) {
    detail::rpc_engine& rpc = detail::rpc_engine::of(*w.substrate());
    std::uint64_t object = 0;
    rpc.make({}, "object", "an object's", [&object](std::uint64_t its_number) {
      object = its_number;
      return std::make_unique<refusing>();
    });
    if (w.rank() == 1) rpc.send(0, detail::request{.object = object}, {});
    while (w.rank() == 0 && !has_thrown) std::this_thread::yield();
    if (w.rank() == 0) w.sleep(std::chrono::milliseconds(1));
    w.barrier();
  };
  expect_mentions(thrown_by<system_error>([&] { run(2, ask, with_threads); }), {"no such luck"});
}

TEST(progress_thread_option, is_refused_if_it_is_nonsense) {
  for (const char* value : {"2", "yes", "-1"}) {
    setenv(progress_thread_variable, value, 1);
    expect_mentions(thrown_by<argument_error>([] { run(1, [](world&) {}); }),
                    {std::string(progress_thread_variable) + "=" + value});
  }
  unsetenv(progress_thread_variable);
}

}  // namespace
}  // namespace boxcar::test::progress_thread_test
