// Windows come and go in any order on different PEs, move, and end while operations are under way.
#include <algorithm>
#include <chrono>
#include <gtest/gtest.h>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include <boxcar/counter.hpp>
#include <boxcar/window.hpp>

#include "one_sided/window_setup.hpp"
#include "support/by_name.hpp"

namespace boxcar::test::window_lifetime_test {
namespace {

class window_lifetimes : public window_setup {};

TEST_P(window_lifetimes, of_parts_of_the_world_keep_apart) {
  on_all([](world& w) {
    auto part = w.split(w.rank() % 2);
    window<number> whole(w, 8);
    window<number> half(*part, 8);
    for (int pe = 0; pe < w.size(); ++pe) whole.add(1, pe, 0);
    for (int pe = 0; pe < part->size(); ++pe) half.add(1, pe, 0);
    whole.flush();
    half.flush();
    w.barrier();
    EXPECT_EQ(whole.local()[0], static_cast<number>(w.size()));
    EXPECT_EQ(half.local()[0], static_cast<number>(part->size()));
    EXPECT_EQ(half.local()[1] + whole.local()[1], 0U);
    w.barrier();
  });
}

TEST_P(window_lifetimes, live_side_by_side_and_go_in_any_order) {
  on_all([](world& w) {
    std::vector<std::optional<window<number>>> all(6);
    for (std::size_t i = 0; i < all.size(); ++i) all[i].emplace(w, i + 1);
    for (std::size_t i = 0; i < all.size(); ++i) all[i]->put(mark(w.rank(), i), next(w), i);
    for (auto& a : all) a->flush();
    w.barrier();
    for (std::size_t i = 0; i < all.size(); ++i) {
      EXPECT_EQ(all[i]->local()[i], mark(before(w), i));
    }
    w.barrier();
    // Each PE destroys the windows in another order.
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[(i * 5 + static_cast<std::size_t>(w.rank())) % all.size()].reset();
    }
    window<number> last(w, 1);
    last.add(1, 0, 0);
    last.flush();
    w.barrier();
    if (w.rank() == 0) {
      EXPECT_EQ(last.local()[0], static_cast<number>(w.size()));
    }
  });
}

// A window dropped by a PE stays there for other PEs, until all PEs have dropped the window.
TEST_P(window_lifetimes, outlive_the_handles_of_some) {
  on_all([](world& w) {
    for (int round = 0; round < 100; ++round) {
      std::optional<window<number>> a(std::in_place, w, 1000);
      if (w.rank() == round % w.size()) a.reset();
      const window<number> later(w, 1);  // frees the windows that all PEs have dropped
      if (!a) continue;
      EXPECT_EQ(a->fetch_add(1, round % w.size(), 7) / static_cast<number>(w.size()), 0U);
    }
  });
}

// Puts arrive, or vanish with their window; nothing is left for the next window.
TEST_P(window_lifetimes, can_be_dropped_with_puts_under_way) {
  on_all([](world& w) {
    for (int round = 0; round < 50; ++round) {
      {
        window<number> a(w, 2000);
        counter c(w);
        const std::vector<number> many(2000, 1);
        if (w.rank() == round % w.size()) a.put(many, next(w), 0);
        a.put(1, next(w), 0, c);
        std::vector<number> back(2000);
        if (round % 3 == 0) {
          a.get_nbi(back, next(w), 0);
          a.flush();
        }
      }
      window<number> fresh(w, 10);
      EXPECT_EQ(fresh.fetch_add(1, next(w), 0), 0U);
    }
  });
}

// The memory may be destroyed with the function that the exception leaves.
TEST_P(window_lifetimes, bring_nothing_when_an_exception_has_destroyed_them) {
  on_all([](world& w) {
    constexpr number gone = 99;
    std::vector<number> into(3000);
    for (int round = 0; round < 10; ++round) {
      const auto leave = [&] {
        window<number> a(w, into.size());
        a.get_nbi(into, next(w), 0);
        throw std::runtime_error("no more paper");
      };
      EXPECT_THROW(leave(), std::runtime_error);
      std::ranges::fill(into, gone);
      w.barrier();
      w.sleep(std::chrono::microseconds(100));
      w.barrier();
      EXPECT_EQ(std::ranges::count(into, gone), std::ssize(into));
    }
  });
}

// More objects stay than fit into a word of the set of polled objects.
TEST_P(window_lifetimes, come_and_go_beside_many_that_stay) {
  on_all([](world& w) {
    std::vector<window<number>> stay;
    for (int i = 0; i < 70; ++i) stay.emplace_back(w, 1);
    for (int round = 0; round < 20; ++round) {
      window<number> a(w, 1);
      a.add(1, next(w), 0);
      stay[static_cast<std::size_t>(round * 3)].add(1, next(w), 0);
    }
    for (auto& s : stay) s.flush();
    w.barrier();
    for (std::size_t i = 0; i < stay.size(); ++i) {
      EXPECT_EQ(stay[i].local()[0], i % 3 == 0 && i < 60 ? 1U : 0U);
    }
  });
}

TEST_P(window_lifetimes, go_along_to_another_thread) {
  on_all([](world& w) {
    window<number> a(w, 1);
    w.barrier();
    std::thread([&] {
      w.take_over();
      EXPECT_EQ(a.fetch_add(1, next(w), 0), 0U);
      w.barrier();
    }).join();
    w.take_over();
    w.barrier();
    EXPECT_EQ(a.get(next(w), 0), 1U);
  });
}

TEST_P(window_lifetimes, can_be_moved) {
  on_all([](world& w) {
    window<number> a(w, 2);
    a.put(mark(w.rank(), 0), next(w), 0);
    window<number> b(std::move(a));
    b.put(mark(w.rank(), 1), next(w), 1);
    b.flush();
    w.barrier();
    EXPECT_EQ(b.local()[0], mark(before(w), 0));
    EXPECT_EQ(b.local()[1], mark(before(w), 1));
    EXPECT_THROW(a.put(0, 0, 0), contract_error);  // NOLINT(bugprone-use-after-move)
    EXPECT_THROW(static_cast<void>(a.local()), contract_error);
    b = window<number>(w, 1);
    EXPECT_EQ(b.local().size(), 1U);
  });
}

// Other PEs reach the window although the local PE does nothing but wait at the end.
TEST_P(window_lifetimes, serve_others_at_the_end_of_the_world) {
  on_all([](world& w) {
    window<number> a(w, 1);
    if (w.rank() != 0) return;
    for (int round = 0; round < 10; ++round) {
      for (int pe = 0; pe < w.size(); ++pe) {
        EXPECT_EQ(a.fetch_add(1, pe, 0), static_cast<number>(round));
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(one_sided, window_lifetimes, testing::ValuesIn(several_shapes()),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::window_lifetime_test
