// Tests of the promises of a simulated machine beyond the contract of a world: a clock of its own,
// a network with costs, reproducible runs, and an end to every wait.
#include <chrono>
#include <cstdint>
#include <exception>
#include <gtest/gtest.h>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <boxcar/boxcar.hpp>
#include <boxcar/simulate.hpp>

#include "substrate/simulated/memory_need.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::simulate_test {
namespace {

using namespace std::chrono_literals;

// Every PE sends `items_each` items to every PE.
void exchange_all(world& w, int items_each, const conveyor_options& options = {}) {
  conveyor<int> c(w, options);
  const session s = c.begin();
  const int all = items_each * w.size();
  int next = 0;
  int arrived = 0;
  while (c.advance(next == all) != advance_result::done) {
    while (next < all && c.push(next, next % w.size())) ++next;
    for (int item = 0; c.pull(item); ++arrived) EXPECT_EQ(item % w.size(), w.rank());
  }
  EXPECT_EQ(arrived, all);
  c.reset();
}

TEST(simulate, runs_every_pe_once_on_the_nodes_asked_for) {
  std::vector<int> node(7, -1);
  simulate({.pes = 7, .pes_per_node = 3}, [&](world& w) {
    EXPECT_EQ(w.size(), 7);
    EXPECT_EQ(w.nodes(), 3);
    EXPECT_EQ(w.substrate_name(), "simulated");
    EXPECT_EQ(w.local_size(), w.rank() < 6 ? 3 : 1);
    EXPECT_EQ(node[static_cast<std::size_t>(w.rank())], -1);
    node[static_cast<std::size_t>(w.rank())] = w.node();
  });
  EXPECT_EQ(node, (std::vector<int>{0, 0, 0, 1, 1, 1, 2}));
}

TEST(simulate, repeats_a_run_with_the_same_seed_only) {
  const auto hash = [](std::uint64_t seed) {
    return simulate({.pes = 24, .pes_per_node = 5, .seed = seed},
                    [](world& w) {
                      exchange_all(w, 30);
                      exchange_all(w, 10, {.hops = 2, .buffer_bytes = 64});
                    })
        .trace_hash;
  };
  std::set<std::uint64_t> hashes;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const std::uint64_t first = hash(seed);
    EXPECT_EQ(hash(seed), first) << "seed " << seed;
    hashes.insert(first);
  }
  EXPECT_EQ(hashes.size(), 5u);
}

// A stream whose handlers send on, and a conveyor, with every order of the PEs.
TEST(simulate, delivers_everything_whatever_the_seed) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    int handled = 0;
    simulate({.pes = 6, .pes_per_node = 1 + static_cast<int>(seed % 6), .seed = seed},
             [&](world& w) {
               stream<int>* here = nullptr;
               stream<int> s(w,
                             [&](int left) {
                               ++handled;
                               if (left != 0) here->send(left - 1, (w.rank() + left) % w.size());
                             },
                             {.buffer_bytes = 64});
               here = &s;
               {
                 const session scope = s.begin(quiescence());
                 for (int pe = 0; pe < w.size(); ++pe) s.send(9, pe);
                 s.finish();
               }
               exchange_all(w, 5, {.hops = 2, .buffer_bytes = 64});
             });
    ASSERT_EQ(handled, 6 * 6 * 10) << "seed " << seed;
  }
}

TEST(simulate, sleeps_on_the_simulated_clock_only) {
  const simulation was = simulate({.pes = 3}, [](world& w) {
    const auto before = w.now();
    w.sleep(w.rank() * 1h);
    EXPECT_GE(w.now() - before, w.rank() * 1h);
    EXPECT_LT(w.now() - before, w.rank() * 1h + 1us);
    w.barrier();
    EXPECT_GE(w.now() - before, 2h);
  });
  EXPECT_GE(was.time, 2h);
  EXPECT_LT(was.time, 2h + 1s);
}

// Messages that arrive while a PE computes wait for the PE, unless the adapter executes them.
TEST(simulate, computes_on_the_simulated_clock) {
  for (const bool offload : {false, true}) {
    SCOPED_TRACE(offload);
    simulated_network network;
    network.offload = offload;
    const simulation was =
        simulate({.pes = 2, .pes_per_node = 1, .network = network}, [&](world& w) {
          window<int> values(w, 1);
          w.barrier();
          const auto before = w.now();
          if (w.rank() == 0) {
            w.compute(1h);
            EXPECT_GE(w.now() - before, 1h);
            EXPECT_LT(w.now() - before, 1h + 1ms);
          } else {
            EXPECT_EQ(values.get(0, 0), 0);  // asks PE 0
            EXPECT_EQ(w.now() - before < 1ms, offload);
          }
          w.barrier();
        });
    EXPECT_GE(was.time, 1h);
    EXPECT_LT(was.time, 1h + 1s);
  }
}

TEST(simulate, shares_cores_among_the_pes_of_a_node) {
  const auto time = [](int cores, double change) {
    simulated_network network;
    network.cores_per_node = cores;
    network.core.change = change;
    return simulate({.pes = 8, .pes_per_node = 4, .network = network},
                    [](world& w) {
                      for (int i = 0; i < 10; ++i) {
                        w.compute(1ms);
                        w.barrier();
                      }
                    })
        .time;
  };
  EXPECT_EQ(time(4, 0), time(0, 0));
  EXPECT_EQ(time(100, 1e6), time(0, 0));  // no PE shares a core
  EXPECT_GE(time(2, 0), 20ms);
  EXPECT_LT(time(2, 0), 21ms);
  EXPECT_GE(time(1, 0), 40ms);
  // Ten times at least a PE of a core has waited for the other PEs of the core.
  EXPECT_GE(time(2, 1e6), time(2, 0) + 5ms);
}

// The times, on the machine's clock, at which each of two PEs that share a core has computed a
// hundred times.
std::vector<std::chrono::nanoseconds> ends_on_one_core(std::chrono::nanoseconds step) {
  simulated_network network;
  network.cores_per_node = 1;
  std::vector<std::chrono::nanoseconds> ends;
  simulate({.pes = 2, .network = network}, [&](world& w) {
    for (int i = 0; i < 100; ++i) w.compute(step);
    ends.push_back(w.now());
  });
  return ends;
}

TEST(simulate, lets_a_pe_keep_its_core_until_it_waits) {
  const auto ends = ends_on_one_core(10us);
  ASSERT_EQ(ends.size(), 2u);
  EXPECT_LT(ends[0], 1ms + 1us);
  EXPECT_GE(ends[1], 2ms);
}

TEST(simulate, lets_pes_that_never_wait_have_the_core_in_turns) {
  const auto ends = ends_on_one_core(1ms);
  ASSERT_EQ(ends.size(), 2u);
  EXPECT_GT(ends[0], 180ms);
  EXPECT_LT(ends[1], 201ms);
}

TEST(simulate, takes_the_core_from_a_pe_that_looks_for_what_another_one_does) {
  simulated_network network;
  network.cores_per_node = 1;
  const simulation was = simulate({.pes = 2, .network = network}, [](world& w) {
    counter arrived(w);
    w.barrier();
    if (w.rank() == 0) {
      while (arrived.value() == 0) {
      }
    } else {
      w.compute(1ms);
      arrived.add(0, 1);
    }
  });
  EXPECT_LT(was.time, 10ms);
}

TEST(simulate, takes_the_time_that_the_network_takes) {
  const auto time = [](const simulated_network& network) {
    return simulate({.pes = 8, .pes_per_node = 2, .network = network},
                    [](world& w) { exchange_all(w, 20'000, {.hops = 1}); })
        .time;
  };
  const simulated_network usual;
  simulated_network far = usual;
  far.other_node.latency = 1e6;
  // Each hop, and each collective, takes a millisecond then.
  EXPECT_GT(time(far), time(usual) + 2ms);
  simulated_network narrow = usual;
  narrow.other_node.gap_per_byte = 10;
  // 2 PEs of a node send 20,000 items of 4 bytes to each of 6 PEs.
  EXPECT_GT(time(narrow), time(usual) + std::chrono::nanoseconds(2 * 6 * 20'000 * 4 * 9));
}

// A notice of a free buffer is of no use to a PE with nothing more to send.
TEST(simulate, does_not_run_a_pe_that_would_find_nothing) {
  constexpr int pes = 64;
  for (const int pes_per_node : {pes, 1}) {
    const simulation was = simulate({.pes = pes, .pes_per_node = pes_per_node}, [](world& w) {
      int arrived = 0;
      stream<int> s(w, [&](int) { ++arrived; });
      const session scope = s.begin();
      if (w.rank() == 0) {
        for (int pe = 1; pe < w.size(); ++pe) s.send(pe, pe);
      } else {
        // The PEs take their items one after the other, and end long after.
        while (arrived == 0) {
          w.sleep(w.rank() * 10us);
          s.poll();
        }
        w.sleep(10ms);
      }
      s.finish();
    });
    // If each notice made its PE look, there were 41 switches a PE, or 51.
    EXPECT_LT(was.switches, pes * (pes_per_node == pes ? 35u : 43u));
  }
}

// A PE waits for room on a link; the PE runs as soon as there is room, and not at its next poll.
TEST(simulate, runs_a_pe_as_soon_as_there_is_room) {
  const simulation was = simulate({.pes = 2, .pes_per_node = 1}, [](world& w) {
    exchange_all(w, 10'000, {.hops = 1, .buffer_bytes = 64});
  });
  EXPECT_LT(was.time, 1500us);  // polling would take 1,800
}

TEST(simulate, counts_what_goes_between_nodes) {
  const simulation near = simulate({.pes = 4}, [](world& w) { exchange_all(w, 100); });
  EXPECT_EQ(near.buffers, 0u);
  EXPECT_EQ(near.bytes, 0u);
  EXPECT_GT(near.buffer_bytes, 0u);
  const simulation far = simulate({.pes = 4, .pes_per_node = 1}, [](world& w) {
    exchange_all(w, 100, {.hops = 1, .buffer_bytes = 1024});
  });
  // One buffer of 400 bytes from each PE to each other PE, and the credit for each buffer.
  EXPECT_EQ(far.buffers, 12u);
  EXPECT_GE(far.messages, far.buffers);
  EXPECT_GE(far.bytes, 12u * 400u);
  EXPECT_GE(far.buffer_bytes, 1024u);
}

TEST(simulate, lets_thousands_of_pes_exchange) {
  const simulation was = simulate(
      {.pes = 2000, .pes_per_node = 40, .stack_bytes = std::size_t{64} << 10}, [](world& w) {
        conveyor<int> c(w, {.hops = 3, .buffer_bytes = 512});
        const session s = c.begin();
        int left = 20;
        int arrived = 0;
        while (c.advance(left == 0) != advance_result::done) {
          while (left != 0 && c.push(left, (w.rank() + left * 97) % w.size())) --left;
          for (int item = 0; c.pull(item);) ++arrived;
        }
        EXPECT_EQ(arrived, 20);
        c.reset();
      });
  EXPECT_GT(was.buffers, 0u);
}

TEST(simulate, rethrows_what_a_pe_throws_and_ends_the_others) {
  int ended = 0;
  const auto run = [&] {
    simulate({.pes = 5, .pes_per_node = 2}, [&](world& w) {
      if (w.rank() == 3) throw std::out_of_range("found nothing");
      try {
        w.barrier();
      } catch (const world_error& e) {
        expect_mentions(e.what(), {"PE 3: found nothing"});
        ++ended;
        throw;
      }
    });
  };
  EXPECT_THROW(run(), std::out_of_range);
  EXPECT_EQ(ended, 4);
}

// Each PE is handling, or throwing, an exception while other PEs run.
TEST(simulate, keeps_exceptions_of_pes_apart) {
  struct waits_when_destroyed {
    world& w;
    ~waits_when_destroyed() {
      EXPECT_EQ(std::uncaught_exceptions(), 1);
      w.barrier();
    }
  };
  simulate({.pes = 6, .pes_per_node = 2}, [](world& w) {
    for (int turn = 0; turn < 3; ++turn) {
      try {
        const waits_when_destroyed waits{w};
        throw w.rank() * 10 + turn;
      } catch (int thrown) {
        EXPECT_EQ(thrown, w.rank() * 10 + turn);
        w.sleep(std::chrono::microseconds(1 + (w.rank() * 7 + turn) % 5));
        try {
          throw;
        } catch (int again) {
          EXPECT_EQ(again, thrown);
        }
      }
      EXPECT_EQ(std::uncaught_exceptions(), 0);
      w.barrier();
    }
  });
}

TEST(simulate, says_what_pes_wait_for_that_can_never_go_on) {
  const std::string text = thrown_by<world_error>([] {
    simulate({.pes = 6, .pes_per_node = 3}, [](world& w) {
      conveyor<int> c(w);
      const session s = c.begin();
      if (w.rank() == 4) return w.barrier();  // the session needs all other PEs
      while (c.advance(true) != advance_result::done) {
      }
      c.reset();
    });
  });
  expect_mentions(text, {"no PE can go on", "PE 4: in barrier", "PEs 0 to 3, 5: in advance(true)"});
}

TEST(simulate, ends_pes_that_look_for_what_never_comes) {
  const std::string text = thrown_by<world_error>([] {
    simulate({.pes = 2, .patience = 50ms}, [](world& w) {
      if (w.rank() == 0) return w.barrier();
      for (;;) w.idle();
    });
  });
  expect_mentions(text, {"PE 0: in barrier"});
}

TEST(simulate, ends_a_pe_that_looks_at_what_nobody_changes) {
  const std::string text = thrown_by<world_error>([] {
    simulate({.pes = 3, .pes_per_node = 2, .patience = 1ms}, [](world& w) {
      counter c(w);
      while (w.rank() == 1 && c.value() == 0) {
      }
      w.barrier();
    });
  });
  expect_mentions(text, {"PE 1 has looked again and again"});
}

TEST(simulate, waits_patiently_for_a_pe_that_sleeps) {
  simulate({.pes = 3, .pes_per_node = 1, .patience = 1ms}, [](world& w) {
    w.sleep(w.rank() == 0 ? 100s : 0s);
    w.barrier();
    const auto until = w.now() + 100us;
    while (w.now() < until) w.idle();
    const auto then = w.now() + 10us;
    while (w.now() < then) {
    }
  });
}

// Alone, and with no pending event: the PE goes on by itself.
TEST(simulate, lets_a_pe_look_for_a_while) {
  simulate({.pes = 1}, [](world& w) {
    conveyor<int> c(w);
    const session s = c.begin();
    EXPECT_TRUE(c.push(17, 0));
    for (int i = 0; i < 200; ++i) EXPECT_NE(c.advance(true), advance_result::done);
    int item = 0;
    EXPECT_TRUE(c.pull(item));
    while (c.advance(true) != advance_result::done) {
    }
    c.reset();
  });
}

TEST(simulate, reports_a_pe_that_leaves_while_others_need_it) {
  const std::string text = thrown_by<world_error>([] {
    simulate({.pes = 4, .pes_per_node = 2}, [](world& w) {
      if (w.rank() != 2) w.barrier();
    });
  });
  expect_mentions(text, {"PE 2 has left the world while"});
}

TEST(simulate, refuses_options_that_cannot_work) {
  const auto nothing = [](world&) { FAIL() << "a PE was started"; };
  EXPECT_THROW(simulate({.pes = 0}, nothing), argument_error);
  EXPECT_THROW(simulate({.pes = -3}, nothing), argument_error);
  EXPECT_THROW(simulate({.pes = 2, .pes_per_node = -1}, nothing), argument_error);
  EXPECT_THROW(simulate({.pes = 2, .stack_bytes = 100}, nothing), argument_error);
  simulate_options negative;
  negative.network.other_node.gap = -1;
  const std::string text = thrown_by<argument_error>([&] { simulate(negative, nothing); });
  expect_mentions(text, {"other_node.gap is -1"});
}

TEST(simulate, refuses_more_pes_than_memory_allows) {
  detail::require_memory_for(100'000, detail::min_bytes_of_pe, std::size_t{1} << 30);
  const std::string text = thrown_by<argument_error>(
      [] { detail::require_memory_for(200'000, detail::min_bytes_of_pe, std::size_t{1} << 30); });
  expect_mentions(text, {"200000 PEs", "9 KiB", "1024 MiB", "at most 116508"});
  EXPECT_GT(detail::physical_memory(), std::size_t{100} << 20);
}

TEST(simulate, says_how_much_its_pes_have_taken_before_memory_ends) {
  constexpr std::size_t gigabyte = std::size_t{1} << 30;
  EXPECT_EQ(detail::memory_shortage(1000, {8 * gigabyte, gigabyte, 16 * gigabyte}), "");
  const std::string text =
      detail::memory_shortage(100'000, {14 * gigabyte, gigabyte - 1, 16 * gigabyte});
  expect_mentions(text, {"100000 PEs", "14336 MiB", "146 KiB each", "16384 MiB", "1023 are left",
                         "smaller buffers"});
  const detail::memory_use here = detail::look_at_memory();
  EXPECT_GT(here.most_here, std::size_t{1} << 20);
  EXPECT_LT(here.most_here, here.all);
}

TEST(simulate, is_refused_within_a_simulation_but_not_after_one) {
  int inner = 0;
  simulate({.pes = 2}, [&](world& w) {
    EXPECT_THROW(simulate({.pes = 2}, [&](world&) { ++inner; }), contract_error);
    w.barrier();
  });
  EXPECT_EQ(inner, 0);
  simulate({.pes = 2}, [&](world&) { ++inner; });
  EXPECT_EQ(inner, 2);
}

TEST(simulate, keeps_a_pe_on_its_thread) {
  simulate({.pes = 2, .pes_per_node = 1}, [](world& w) {
    std::thread([&w] { EXPECT_THROW(w.take_over(), contract_error); }).join();
    w.barrier();
  });
}

[[gnu::noinline]] int use_stack(int frames) {
  volatile char room[1000] = {};
  room[static_cast<std::size_t>(frames) % 1000] = 1;
  return frames == 0 ? room[0] : use_stack(frames - 1) + room[999];
}

TEST(simulate_death_test, names_a_pe_whose_stack_has_overflowed) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto overflow = [] {
    simulate({.pes = 4, .stack_bytes = std::size_t{32} << 10}, [](world& w) {
      if (w.rank() == 2 && use_stack(33) == 12345) return;
      w.barrier();
    });
  };
  EXPECT_DEATH(overflow(), "PE 2 .* more than its stack of 32768 bytes: give .* = 65536");
}

}  // namespace
}  // namespace boxcar::test::simulate_test
