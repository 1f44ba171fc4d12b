// Puts and gets of spans that are larger than a message, on every substrate: every byte arrives,
// once, and in order with everything else.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <span>
#include <stdexcept>
#include <vector>

#include <boxcar/counter.hpp>
#include <boxcar/window.hpp>

#include "one_sided/rpc_engine.hpp"
#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/shared_flag.hpp"

namespace boxcar::test::large_spans_test {
namespace {

using number = std::uint64_t;

// Returns different numbers for any two elements of any two PEs.
number mark(int pe, std::size_t index) {
  return (static_cast<number>(pe) + 1) << 32 | index;
}

std::vector<number> marks(int pe, std::size_t count) {
  std::vector<number> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = mark(pe, i);
  return all;
}

bool are_marks(std::span<const number> values, int pe) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] != mark(pe, i)) return false;
  }
  return true;
}

class large_spans : public testing::TestWithParam<world_shape> {
 protected:
  static void on_all(const std::function<void(world&)>& body) { run_on(GetParam(), body); }
  static int next(const world& w) { return (w.rank() + 1) % w.size(); }
  static int before(const world& w) { return (w.rank() + w.size() - 1) % w.size(); }
};

TEST_P(large_spans, arrive_whole_and_nowhere_else) {
  on_all([](world& w) {
    constexpr std::size_t kibibyte = 1024 / sizeof(number);
    constexpr std::array sizes{64 * kibibyte - 1, 64 * kibibyte, 1024 * kibibyte,
                               1024 * kibibyte + 1, 2500 * kibibyte};
    for (const std::size_t size : sizes) {
      window<number> a(w, size + 8);
      a.put(std::span<const number>(marks(w.rank(), size)), next(w), 3);
      a.flush();
      w.barrier();
      EXPECT_TRUE(are_marks(a.local().subspan(3, size), before(w))) << size << " numbers";
      EXPECT_EQ(std::ranges::count(a.local().first(3), number{0}), 3);
      EXPECT_EQ(std::ranges::count(a.local().subspan(size + 3), number{0}), 5);
      std::vector<number> got(size + 2, 7);
      a.get(std::span(got).subspan(1, size), next(w), 3);
      EXPECT_TRUE(are_marks(std::span(got).subspan(1, size), w.rank())) << size << " numbers";
      EXPECT_EQ(got.front() + got.back(), 14U);
      w.barrier();
    }
  });
}

TEST_P(large_spans, keep_their_order_with_small_ones) {
  on_all([](world& w) {
    constexpr std::size_t size = 20'000;
    window<number> a(w, size);
    const std::vector<number> zeros(size, 0);
    for (number round = 1; round <= 5; ++round) {
      a.put(number{99}, next(w), 7);
      a.put(std::span<const number>(zeros), next(w), 0);
      a.put(std::span<const number>(marks(w.rank(), size)), next(w), 0);
      a.put(round, next(w), 5);
      a.add(round, next(w), 5);
      std::vector<number> got(size);
      a.get(std::span(got), next(w), 0);
      EXPECT_EQ(got[5], 2 * round);
      EXPECT_EQ(got[7], mark(w.rank(), 7));
      got[5] = mark(w.rank(), 5);
      EXPECT_TRUE(are_marks(got, w.rank()));
    }
    w.barrier();
  });
}

TEST_P(large_spans, go_between_all_pes_at_the_same_time) {
  on_all([](world& w) {
    constexpr std::size_t size = 20'000;
    const auto pes = static_cast<std::size_t>(w.size());
    window<number> a(w, pes * size);
    const std::vector<number> mine = marks(w.rank(), size);
    const auto place = [](int pe) { return static_cast<std::size_t>(pe) * size; };
    for (int pe = 0; pe < w.size(); ++pe) {
      a.put(std::span<const number>(mine), pe, place(w.rank()));
    }
    a.flush();
    w.barrier();
    std::vector<number> got(pes * size);
    for (int pe = 0; pe < w.size(); ++pe) {
      EXPECT_TRUE(are_marks(a.local().subspan(place(pe), size), pe));
      a.get_nbi(std::span(got).subspan(place(pe), size), pe, place(w.rank()));
    }
    a.flush();
    for (int pe = 0; pe < w.size(); ++pe) {
      EXPECT_TRUE(are_marks(std::span(got).subspan(place(pe), size), w.rank()));
    }
    w.barrier();
  });
}

TEST_P(large_spans, are_counted_when_they_are_there) {
  on_all([](world& w) {
    constexpr std::size_t size = 150'000;
    window<number> a(w, size);
    counter messages(w);
    counter bytes(w, {.what = counts::bytes});
    for (std::int64_t round = 1; round <= 3; ++round) {
      std::vector<number> mine(size, static_cast<number>(round));
      a.put(std::span<const number>(mine), next(w), 0, messages);
      messages.wait(round);
      EXPECT_EQ(std::ranges::count(a.local(), static_cast<number>(round)), std::ptrdiff_t{size});
      w.barrier();
      std::ranges::fill(mine, number{100});
      a.put(std::span<const number>(mine), next(w), 0, bytes);
      bytes.wait(round * static_cast<std::int64_t>(size * sizeof(number)));
      EXPECT_EQ(std::ranges::count(a.local(), number{100}), std::ptrdiff_t{size});
      w.barrier();
    }
    EXPECT_EQ(messages.value(), 3);
  });
}

TEST_P(large_spans, of_elements_of_any_size_are_not_mixed) {
  struct triple {
    number a, b, c;
  };
  on_all([](world& w) {
    constexpr std::size_t size = 50'000;
    window<triple> all(w, size);
    std::vector<triple> mine(size);
    for (std::size_t i = 0; i < size; ++i) {
      mine[i] = {mark(w.rank(), i), i, number{3} * static_cast<number>(w.rank())};
    }
    all.put(std::span<const triple>(mine), next(w), 0);
    all.flush();
    w.barrier();
    const int source = before(w);
    const auto is_right = [&](const triple& t) {
      const auto i = static_cast<std::size_t>(&t - all.local().data());
      return t.a == mark(source, i) && t.b == i && t.c == number{3} * static_cast<number>(source);
    };
    EXPECT_TRUE(std::ranges::all_of(all.local(), is_right));
    w.barrier();
  });
}

TEST_P(large_spans, are_discarded_if_an_exception_destroys_their_window) {
  on_all([](world& w) {
    constexpr std::size_t size = 300'000;
    for (int round = 0; round < 3; ++round) {
      std::vector<number> got(size, 7);
      try {
        window<number> a(w, size);
        a.get_nbi(std::span(got), next(w), 0);
        throw std::runtime_error("nobody flushes");
      } catch (const std::runtime_error&) {
      }
      std::ranges::fill(got, number{5});
      window<number> another(w, 1);
      another.put(number{1}, next(w), 0);
      another.flush();
      w.barrier();
      EXPECT_EQ(std::ranges::count(got, number{5}), std::ptrdiff_t{size});
    }
  });
}

TEST_P(large_spans, end_if_their_target_fails) {
  const world_report report = observe(GetParam(), [](world& w) {
    constexpr std::size_t size = 300'000;
    window<number> a(w, size);
    const std::vector<number> mine = marks(w.rank(), size);
    std::vector<number> got(size);
    w.barrier();
    for (int round = 0;; ++round) {
      if (w.rank() == w.size() - 1 && round == 2) throw std::runtime_error("this PE gives up");
      a.put(std::span<const number>(mine), next(w), 0);
      a.get(std::span(got), next(w), 0);
      if (round >= 2) w.barrier();
    }
  });
  for (std::size_t i = 0; i < report.pes.size(); ++i) {
    if (report.pes[i].end == ending::unknown) continue;
    const bool gives_up = i + 1 == report.pes.size();
    EXPECT_EQ(report.pes[i].end, gives_up ? ending::other_exception : ending::world_error);
  }
}

TEST_P(large_spans, of_a_pe_that_computes_hold_up_no_other_pe) {
  shared_flag is_computing;
  shared_flag has_gone_on;
  on_all([&](world& w) {
    // (Fibers of one thread cannot wait without Boxcar.)
    if (w.size() < 3 || w.nodes() != w.size() || w.substrate_name() == "simulated") return;
    constexpr std::size_t size = 100'000;
    window<number> a(w, size);
    w.barrier();
    std::vector<number> got(size);
    if (w.rank() == 0) {
      a.get_nbi(std::span(got), 1, 0);
      a.put(number{1}, 1, 1);  // behind the request
      a.flush();
    } else if (w.rank() == 1) {
      a.wait_until(1, [](number n) { return n == 1; });
      a.put(number{2}, 0, 2);
      is_computing.raise();
      EXPECT_TRUE(has_gone_on.await());
    } else if (w.rank() == 2) {
      EXPECT_TRUE(is_computing.await());
      a.put(number{3}, 0, 3);
      a.flush(0);
      has_gone_on.raise();
    }
    w.barrier();
  });
}

TEST_P(large_spans, go_by_tickets_over_mpi) {
  on_all([](world& w) {
    if (w.nodes() == 1 || w.substrate_name() != "mpi") return;
    const window<number> a(w, 1);
    EXPECT_TRUE(detail::rpc_engine::of(*w.substrate()).moves_large_data());
    w.barrier();
  });
}

INSTANTIATE_TEST_SUITE_P(one_sided, large_spans, testing::ValuesIn(several_shapes()), by_name{});

}  // namespace
}  // namespace boxcar::test::large_spans_test
