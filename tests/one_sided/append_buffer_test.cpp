// Tests of the promises of append buffers, on every substrate, for both overflow policies, and with
// aggregation.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <thread>
#include <vector>

#include <boxcar/append_buffer.hpp>
#include <boxcar/counter.hpp>
#include <boxcar/error.hpp>
#include <boxcar/window.hpp>

#include "support/by_name.hpp"
#include "support/dice.hpp"
#include "support/on_shapes.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::append_buffer_test {
namespace {

// An element holds its origin PE, the number of the push, and the index within the push.
struct element {
  std::uint32_t pe;
  std::uint32_t push;
  std::uint64_t index;
};

struct management {
  managed_by who;
};

std::string name_of(const management& m) {
  return m.who == managed_by::sender ? "by_sender" : "by_receiver";
}

std::vector<element> elements_of(int pe, std::uint32_t push, std::size_t count) {
  std::vector<element> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = {static_cast<std::uint32_t>(pe), push, i};
  return all;
}

// Checks that each push is contiguous; returns the number of elements of each PE.
std::map<std::uint32_t, std::size_t> check_pieces(std::span<const element> all) {
  std::map<std::uint32_t, std::size_t> of_pe;
  for (std::size_t i = 0; i < all.size(); ++i) {
    ++of_pe[all[i].pe];
    if (all[i].index == 0) continue;
    EXPECT_NE(i, 0U);
    if (i == 0) break;
    EXPECT_EQ(all[i].pe, all[i - 1].pe);
    EXPECT_EQ(all[i].push, all[i - 1].push);
    EXPECT_EQ(all[i].index, all[i - 1].index + 1);
  }
  return of_pe;
}

class append_buffers : public testing::TestWithParam<shaped<management>> {
 protected:
  static void on_all(const std::function<void(world&)>& body) { run_on(GetParam().shape, body); }
  static append_options options(when_full full = when_full::refuse) {
    return {.full = full, .managed = GetParam().detail.who};
  }
  static int next(const world& w) { return (w.rank() + 1) % w.size(); }
};

// Sizes below a message and of several; some PEs push nothing.
TEST_P(append_buffers, keep_pushes_in_one_piece) {
  on_all([](world& w) {
    const auto sizes = std::to_array<std::size_t>({1, 3, 0, 160, 1000, 7});
    const std::size_t of_one = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
    const auto pushers = static_cast<std::size_t>((w.size() + 1) / 2);
    append_buffer<element> b(w, of_one * pushers, options());
    for (std::uint32_t push = 0; push < sizes.size() && w.rank() % 2 == 0; ++push) {
      const auto mine = elements_of(w.rank(), push, sizes[push]);
      for (int pe = 0; pe < w.size(); ++pe) {
        if (push % 2 == 0) {
          EXPECT_EQ(b.push(mine, pe), mine.size());
        } else {
          b.push_nbi(mine, pe);
        }
      }
    }
    b.finish();
    EXPECT_EQ(b.arrived().size(), of_one * pushers);
    EXPECT_EQ(b.reserved(), b.completed());
    EXPECT_EQ(b.messages(), sizes.size() * pushers);
    EXPECT_EQ(b.refused(), 0U);
    const auto of_pe = check_pieces(b.arrived());
    for (const auto& [pe, count] : of_pe) EXPECT_EQ(count, of_one) << "of PE " << pe;
    EXPECT_EQ(of_pe.size(), pushers);
    w.barrier();
  });
}

TEST_P(append_buffers, tell_when_elements_are_there) {
  on_all([](world& w) {
    append_buffer<element> b(w, 5000, options());
    dice d(static_cast<std::uint64_t>(w.rank()) + 5);
    // Each PE waits for the elements of the PE before it.
    std::size_t expected = 0;
    dice before(static_cast<std::uint64_t>((w.rank() + w.size() - 1) % w.size()) + 5);
    for (std::uint32_t push = 0; push < 20; ++push) {
      const auto mine = elements_of(w.rank(), push, static_cast<std::size_t>(d.below(240)) + 1);
      if (d.chance(20)) w.sleep(std::chrono::microseconds(200));
      b.push_nbi(mine, next(w));
      expected += static_cast<std::size_t>(before.below(240)) + 1;
      static_cast<void>(before.chance(20));
      // Either alone is enough.
      if (push % 2 == 0) {
        b.wait(expected);
      } else {
        b.wait_messages(push + 1);
      }
      const auto all = b.arrived();
      ASSERT_GE(all.size(), expected);
      EXPECT_EQ(all[expected - 1].push, push);
      check_pieces(all.first(expected));
    }
    w.barrier();
  });
}

// Equal counts mean that all elements below the count have arrived, however pushes go on meanwhile.
TEST_P(append_buffers, have_counts_that_can_be_compared) {
  on_all([](world& w) {
    constexpr std::size_t pushes = 200;
    constexpr std::size_t of_push = 50;
    append_buffer<element> b(w, pushes * of_push, options());
    const auto check = [&] {
      const append_counts now = b.counts();
      EXPECT_LE(now.completed, now.reserved);
      if (now.completed != now.reserved) return now.completed;
      const auto there = std::span<const element>(b.arrived().data(), now.completed);
      EXPECT_TRUE(std::ranges::all_of(there, [](const element& e) { return e.push != 0; }));
      return now.completed;
    };
    for (std::uint32_t push = 1; push <= pushes; ++push) {
      b.push_nbi(elements_of(w.rank(), push, of_push), next(w));
      check();
    }
    b.finish();
    EXPECT_EQ(check(), pushes * of_push);
    w.barrier();
  });
}

TEST_P(append_buffers, of_different_sizes_truncate_to_the_element) {
  on_all([](world& w) {
    // PE 0 has no buffer.
    const auto size_of = [](int pe) { return static_cast<std::size_t>(pe) * 37; };
    append_buffer<element> b(w, size_of(w.rank()), options(when_full::truncate));
    std::size_t taken_by_me = 0;
    for (int pe = 0; pe < w.size(); ++pe) {
      EXPECT_EQ(b.capacity(pe), size_of(pe));
      for (std::uint32_t push = 0; push < 5; ++push) {
        taken_by_me += b.push(elements_of(w.rank(), push, 10), pe);
      }
    }
    b.finish();
    const auto pushed = static_cast<std::size_t>(w.size()) * 50;
    const std::size_t there = std::min(pushed, size_of(w.rank()));
    EXPECT_EQ(b.arrived().size(), there);
    EXPECT_EQ(b.refused(), pushed - there);
    check_pieces(b.arrived());
    std::size_t all = 0;
    for (int pe = 0; pe < w.size(); ++pe) all += std::min(pushed, size_of(pe));
    EXPECT_EQ(w.reduce(taken_by_me), all);
  });
}

TEST_P(append_buffers, refuse_what_does_not_fit) {
  on_all([](world& w) {
    append_buffer<element> b(w, 10, options());
    std::size_t taken = 0;
    if (w.rank() == w.size() - 1) {
      for (std::uint32_t push = 0; push < 3; ++push) {
        taken += b.push(elements_of(w.rank(), push, 4), 0);  // the third does not fit
      }
      EXPECT_EQ(taken, 8U);
      EXPECT_EQ(b.push(elements_of(w.rank(), 3, 2), 0), 2U);
      EXPECT_EQ(b.push(elements_of(w.rank(), 4, 1), 0), 0U);
      EXPECT_EQ(b.push(element{}, 0), 0U);
      expect_mentions(thrown_by<argument_error>([&] { b.push(elements_of(w.rank(), 5, 11), 0); }),
                      {"push", "11 elements can never fit", "PE 0", "room for 10", "truncate"});
    }
    b.finish();
    if (w.rank() == 0) {
      EXPECT_EQ(b.arrived().size(), 10U);
      EXPECT_EQ(b.messages(), 3U);
      EXPECT_EQ(b.refused(), 4U + 1 + 1 + 11);
    } else {
      EXPECT_EQ(b.reserved(), 0U);
    }
    w.barrier();
  });
}

TEST_P(append_buffers, begin_anew_after_a_reset) {
  on_all([](world& w) {
    auto o = options();
    o.in_rounds = true;
    append_buffer<element> b(w, static_cast<std::size_t>(w.size()) * 4, o);
    for (std::uint32_t round = 0; round < 30; ++round) {
      for (int pe = 0; pe < w.size(); ++pe) {
        EXPECT_EQ(b.push(elements_of(w.rank(), round, round % 5), pe), round % 5);
      }
      b.finish();
      ASSERT_EQ(b.arrived().size(), static_cast<std::size_t>(w.size()) * (round % 5));
      EXPECT_EQ(b.messages(), static_cast<std::size_t>(w.size()));
      for (const element& e : b.arrived()) ASSERT_EQ(e.push, round);
      b.reset();
      EXPECT_EQ(b.arrived().size() + b.messages() + b.refused(), 0U);
      w.barrier();
    }
  });
}

TEST_P(append_buffers, notice_pushes_of_another_round) {
  on_all([](world& w) {
    auto o = options();
    o.in_rounds = true;
    append_buffer<element> b(w, static_cast<std::size_t>(w.size()), o);
    const int target = 0;
    if (w.rank() == target) b.reset();
    w.barrier();
    if (w.rank() != target) {
      expect_mentions(thrown_by<contract_error>([&] { b.push(element{}, target); }),
                      {"PE 0 has been reset 1 times", "PE " + std::to_string(w.rank()) + " 0 times",
                       "barrier"});
    }
    b.finish();
    if (w.rank() != target) b.reset();
    w.barrier();
    EXPECT_EQ(b.push(element{}, target), 1U);
    b.finish();
    EXPECT_EQ(b.arrived().size(), w.rank() == target ? static_cast<std::size_t>(w.size()) : 0U);
    EXPECT_EQ(b.refused(), w.rank() == target ? static_cast<std::size_t>(w.size()) - 1 : 0U);
    w.barrier();
  });
}

// Elements that arrive after a reset go to the beginning, whichever round they were meant for.
TEST_P(append_buffers, take_what_comes_late) {
  on_all([](world& w) {
    append_buffer<element> b(w, 100, options());
    const element* const first = b.arrived().data();
    for (std::uint32_t round = 0; round < 20; ++round) {
      b.push_nbi(elements_of(w.rank(), round, 3), next(w));
      b.wait_messages(1);
      EXPECT_EQ(first->push, round);
      EXPECT_GE(b.arrived().size(), 3U);
      // The next push of the PE before this PE may have arrived already, or be in flight.
      w.barrier();
      b.reset();
      w.barrier();
    }
  });
}

// A reset may come at any moment. A reset while a push is under way is refused and changes nothing;
// another reset drops what is complete, and takes no push in flight apart.
TEST_P(append_buffers, refuse_a_reset_while_a_push_is_under_way) {
  on_all([](world& w) {
    // Between nodes each push waits for PE 0.
    const std::uint32_t pushes = w.is_local(0) ? 20000 : 17;
    append_buffer<element> b(w, 2000, options());
    counter pushers_done(w);
    if (w.rank() == 0) {
      bool is_sound = true;
      while (is_sound && pushers_done.value() < w.size() - 1) {
        const append_counts now = b.counts();
        is_sound = now.completed <= now.reserved;
        try {
          b.reset();
        } catch (const contract_error& e) {
          expect_mentions(e.what(), {"reset", "a push is under way"});
        }
      }
      EXPECT_TRUE(is_sound) << "elements are complete that have no place";
    } else {
      for (std::uint32_t push = 0; push < pushes; ++push) {
        // Some pushes are longer than a message.
        b.push(elements_of(w.rank(), push, push % 16 == 0 ? 300 : 1), 0);
      }
      b.flush();
      pushers_done.add(0);
    }
    b.finish();
    const append_counts last = b.counts();
    EXPECT_EQ(last.completed, last.reserved);
    check_pieces(b.arrived());
    b.reset();
    w.barrier();
    EXPECT_EQ(b.push(elements_of(w.rank(), 0, 1), next(w)), 1U);
    b.finish();
    EXPECT_EQ(b.arrived().size(), 1U);
    w.barrier();
  });
}

// With unlimited room a PE might push for ever without waiting; other PEs wait for the PE
// meanwhile.
TEST(an_append_buffer, is_pushed_to_by_pes_that_serve_others) {
  std::atomic<bool> is_put = false;
  run_on({substrate_kind::threads, 2, 2}, [&](world& w) {
    append_buffer<int> b(w, 100);
    window<int> put_to(w, 1);
    put_to.local()[0] = 0;
    w.barrier();
    if (w.rank() == 1) {
      put_to.put(7, 0, 0);
      is_put = true;
    } else {
      while (!is_put) std::this_thread::yield();
      for (int i = 0; i < 20; ++i) b.push_nbi(std::span(&i, 1), 1);
      EXPECT_EQ(put_to.local()[0], 7);
    }
    b.finish();
    EXPECT_EQ(b.arrived().size(), w.rank() == 1 ? 20U : 0U);
  });
}

TEST_P(append_buffers, in_parts_of_the_world_side_by_side) {
  on_all([](world& w) {
    auto part = w.split(w.rank() % 2);
    append_buffer<element> whole(w, 100, options());
    std::optional<append_buffer<element>> half(std::in_place, *part, 100U, options());
    for (int pe = 0; pe < w.size(); ++pe) whole.push_nbi(elements_of(w.rank(), 0, 2), pe);
    for (int pe = 0; pe < part->size(); ++pe) half->push_nbi(elements_of(w.rank(), 1, 3), pe);
    whole.finish();
    half->finish();
    EXPECT_EQ(whole.arrived().size(), static_cast<std::size_t>(w.size()) * 2);
    EXPECT_EQ(half->arrived().size(), static_cast<std::size_t>(part->size()) * 3);
    for (const element& e : half->arrived()) EXPECT_EQ(e.push, 1U);
    append_buffer<element> moved(std::move(*half));
    half.reset();
    EXPECT_EQ(moved.arrived().size(), static_cast<std::size_t>(part->size()) * 3);
    w.barrier();
  });
}

TEST_P(append_buffers, say_what_is_wrong) {
  on_all([](world& w) {
    append_buffer<element> b(w, 4, options());
    expect_mentions(thrown_by<argument_error>([&] { b.push(element{}, w.size()); }),
                    {"push", "no PE " + std::to_string(w.size())});
    expect_mentions(thrown_by<argument_error>([&] { b.push_nbi({}, -1); }), {"no PE -1"});
    expect_mentions(thrown_by<argument_error>([&] { b.wait(5); }),
                    {"5 elements can never arrive", "room for 4"});
    const append_buffer<element> other(std::move(b));
    expect_mentions(thrown_by<contract_error>([&] { b.reset(); }), {"moved from"});  // NOLINT
    EXPECT_EQ(other.capacity(), 4U);
    if (w.size() == 1) return;  // the PE agrees with itself
    expect_mentions(thrown_by<argument_error>([&] {
                      const append_buffer<element> odd(
                          w, 4, options(w.rank() == 0 ? when_full::refuse : when_full::truncate));
                    }),
                    {"an append buffer's full", "PE 0"});
  });
}

TEST_P(append_buffers, over_the_programs_own_memory) {
  on_all([](world& w) {
    std::vector<int> mine(static_cast<std::size_t>(w.size()), -1);
    const bool can = w.substrate_name() == "threads" || w.substrate_name() == "simulated" ||
                     w.nodes() == w.size();
    if (!can) {
      expect_mentions(
          thrown_by<argument_error>([&] { append_buffer<int>(w, std::span(mine), options()); }),
          {"append buffer", "program's own", "symmetric"});
      return;
    }
    append_buffer<int> a(w, std::span(mine), options());
    for (int pe = 0; pe < w.size(); ++pe) EXPECT_EQ(a.push(w.rank(), pe), 1U);
    a.finish();
    EXPECT_EQ(a.arrived().data(), mine.data());
    std::ranges::sort(mine);
    for (int pe = 0; pe < w.size(); ++pe) EXPECT_EQ(mine[static_cast<std::size_t>(pe)], pe);
    w.barrier();
  });
}

INSTANTIATE_TEST_SUITE_P(one_sided, append_buffers,
                         testing::ValuesIn(on_shapes<management>(
                             several_shapes(), {{managed_by::receiver}, {managed_by::sender}})),
                         by_name{});

class aggregated : public testing::TestWithParam<world_shape> {};

TEST_P(aggregated, elements_arrive_once_each) {
  run_on(GetParam(), [](world& w) {
    constexpr std::uint64_t each = 3000;
    append_buffer<element> b(w, static_cast<std::size_t>(w.size()) * each, {.aggregate = true});
    for (std::uint32_t round = 0; round < 3; ++round) {
      const auto mine = static_cast<std::uint32_t>(w.rank());
      for (std::uint64_t i = 0; i < each; ++i) {
        for (int pe = 0; pe < w.size(); ++pe) EXPECT_EQ(b.push(element{mine, round, i}, pe), 1U);
      }
      b.finish();
      ASSERT_EQ(b.arrived().size(), static_cast<std::size_t>(w.size()) * each);
      EXPECT_EQ(b.messages(), b.arrived().size());
      b.wait(b.arrived().size());
      std::vector<std::uint64_t> next(static_cast<std::size_t>(w.size()));
      for (const element& e : b.arrived()) {
        ASSERT_EQ(e.push, round);
        ASSERT_EQ(e.index, next[e.pe]++);
      }
      b.reset();
      w.barrier();
    }
    expect_mentions(thrown_by<contract_error>([&] { b.wait(1); }), {"wait", "finish"});
  });
}

TEST_P(aggregated, elements_without_room_are_counted) {
  run_on(GetParam(), [](world& w) {
    append_buffer<std::uint64_t> b(w, 100, {.aggregate = true});
    const std::vector<std::uint64_t> many(1000, 7);
    EXPECT_EQ(b.push(many, 0), 1000U);
    b.push_nbi(many, 0);
    b.finish();
    const std::size_t all = w.rank() == 0 ? static_cast<std::size_t>(w.size()) * 2000 : 0;
    EXPECT_EQ(b.arrived().size(), std::min<std::size_t>(all, 100));
    EXPECT_EQ(b.refused(), all - b.arrived().size());
    EXPECT_THROW(b.push(many, w.size()), argument_error);
    w.barrier();
  });
}

// Pushes in flight arrive when the buffers are destroyed; nothing fails.
TEST_P(aggregated, buffers_end_with_pushes_under_way) {
  run_on(GetParam(), [](world& w) {
    append_buffer<std::uint64_t> b(w, 100, {.aggregate = true});
    b.push(1, 0);
    append_buffer<std::uint64_t> moved(std::move(b));
    moved.push(2, 0);
  });
}

// The exception comes also with nothing in flight, where the failure is noticed at the end of the
// session only.
TEST_P(aggregated, finish_in_a_world_that_has_failed_throws) {
  const world_report report = observe(GetParam(), [](world& w) {
    const std::optional<world> alone = w.split(w.rank());
    append_buffer<std::uint64_t> b(*alone, 1, {.aggregate = true});
    w.barrier();
    if (w.rank() == 0) throw std::runtime_error("lost");
    EXPECT_THROW(w.barrier(), world_error);
    b.finish();
  });
  for (std::size_t pe = 1; pe < report.pes.size(); ++pe) {
    if (report.pes[pe].end == ending::unknown) continue;  // the PE ended before the failure
    EXPECT_EQ(report.pes[pe].end, ending::world_error) << report.pes[pe].what;
  }
}

// A member of the standard library lets no exception of the buffer's destructor pass.
TEST_P(aggregated, buffers_end_in_a_world_that_has_failed) {
  const world_report report = observe(GetParam(), [](world& w) {
    std::optional<append_buffer<std::uint64_t>> b(std::in_place, w, 1,
                                                  append_options{.aggregate = true});
    w.barrier();
    if (w.rank() == 0) throw std::runtime_error("lost");
    b->push(1, w.rank());
    EXPECT_THROW(b->finish(), world_error);
    b.reset();
    w.barrier();
  });
  for (std::size_t pe = 1; pe < report.pes.size(); ++pe) {
    if (report.pes[pe].end == ending::unknown) continue;  // the PE ended before the failure
    EXPECT_EQ(report.pes[pe].end, ending::world_error) << report.pes[pe].what;
  }
}

INSTANTIATE_TEST_SUITE_P(one_sided, aggregated, testing::ValuesIn(several_shapes()), by_name{});

}  // namespace
}  // namespace boxcar::test::append_buffer_test
