// Windows on every substrate: values arrive at their target, and nowhere else.
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <numeric>
#include <span>
#include <vector>

#include <boxcar/counter.hpp>
#include <boxcar/window.hpp>

#include "one_sided/window_setup.hpp"
#include "support/by_name.hpp"
#include "support/dice.hpp"

namespace boxcar::test::window_test {
namespace {

class windows : public window_setup {};

TEST_P(windows, begin_with_zeros) {
  on_all([](world& w) {
    const window<number> a(w, 100);
    EXPECT_EQ(a.local().size(), 100U);
    EXPECT_TRUE(std::ranges::all_of(a.local(), [](number n) { return n == 0; }));
  });
}

TEST_P(windows, take_values_from_every_pe) {
  on_all([](world& w) {
    window<number> a(w, static_cast<std::size_t>(w.size()));
    for (int pe = 0; pe < w.size(); ++pe) {
      a.put(mark(w.rank(), static_cast<std::size_t>(pe)), pe, static_cast<std::size_t>(w.rank()));
    }
    a.flush();
    w.barrier();
    for (int pe = 0; pe < w.size(); ++pe) {
      const auto index = static_cast<std::size_t>(pe);
      EXPECT_EQ(a.local()[index], mark(pe, static_cast<std::size_t>(w.rank())));
      EXPECT_EQ(a.get(pe, static_cast<std::size_t>(w.rank())), mark(w.rank(), index));
    }
    w.barrier();
  });
}

TEST_P(windows, have_their_own_size_on_each_pe) {
  on_all([](world& w) {
    // PE 0 contributes no elements.
    window<number> a(w, static_cast<std::size_t>(w.rank()) * 3);
    for (int pe = 0; pe < w.size(); ++pe) {
      const std::size_t size = static_cast<std::size_t>(pe) * 3;
      EXPECT_EQ(a.size(pe), size);
      if (size != 0 && pe == next(w)) a.put(mark(w.rank(), 1), pe, size - 1);
      EXPECT_THROW(a.put(0, pe, size), argument_error);
    }
    a.flush();
    w.barrier();
    if (w.rank() != 0) {
      EXPECT_EQ(a.local().back(), mark(before(w), 1));
    }
    w.barrier();
  });
}

// Lengths are less than a message, a message, and many messages.
TEST_P(windows, carry_spans_of_any_length) {
  on_all([](world& w) {
    constexpr std::size_t size = 20000;
    window<number> a(w, size + 2);
    for (const std::size_t length : {0UL, 1UL, 2UL, 489UL, 490UL, 491UL, 992UL, size}) {
      std::vector<number> values(length);
      for (std::size_t i = 0; i < length; ++i) values[i] = mark(w.rank(), i);
      a.put(values, next(w), 1);
      a.flush(next(w));
      w.barrier();
      for (std::size_t i = 0; i < length; ++i) ASSERT_EQ(a.local()[1 + i], mark(before(w), i));
      EXPECT_EQ(a.local()[0], 0U);
      EXPECT_EQ(a.local()[1 + length], 0U);
      std::vector<number> back(length);
      a.get(back, next(w), 1);
      EXPECT_EQ(back, values);
      std::ranges::fill(back, 0);
      a.get_nbi(back, next(w), 1);
      a.flush();
      EXPECT_EQ(back, values);
      w.barrier();
      std::ranges::fill(a.local(), 0);
      w.barrier();
    }
  });
}

TEST_P(windows, take_every_so_manieth_element) {
  on_all([](world& w) {
    constexpr std::size_t elements = 1500;
    window<number> a(w, elements * 3);
    std::vector<number> values(elements * 2);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = mark(w.rank(), i);
    a.put(values, next(w), 2, {.here = 2, .there = 3});
    a.flush();
    w.barrier();
    for (std::size_t i = 0; i < elements * 3; ++i) {
      const number expected = i % 3 == 2 ? mark(before(w), i / 3 * 2) : 0;
      ASSERT_EQ(a.local()[i], expected) << i;
    }
    std::vector<number> back(elements * 4);
    a.get(back, next(w), 2, {.here = 4, .there = 3});
    for (std::size_t i = 0; i < back.size(); ++i) {
      ASSERT_EQ(back[i], i % 4 == 0 ? values[i / 2] : 0) << i;
    }
    w.barrier();
  });
}

// An element is larger than a message.
TEST_P(windows, have_elements_of_any_size) {
  struct block {
    std::array<std::uint8_t, 10001> bytes;
  };
  on_all([](world& w) {
    window<block> a(w, 5);
    block b{};
    std::iota(b.bytes.begin(), b.bytes.end(), static_cast<std::uint8_t>(w.rank()));
    a.put(b, next(w), 0);
    const std::vector<block> two(2, b);
    a.put(two, next(w), 2, {.there = 2});
    a.flush();
    w.barrier();
    std::iota(b.bytes.begin(), b.bytes.end(), static_cast<std::uint8_t>(before(w)));
    for (const std::size_t i : {0UL, 2UL, 4UL}) EXPECT_EQ(a.local()[i].bytes, b.bytes) << i;
    EXPECT_EQ(a.local()[1].bytes, block{}.bytes);
    std::vector<block> back(2);
    a.get(back, w.rank(), 2, {.there = 2});
    EXPECT_EQ(back[1].bytes, b.bytes);
    EXPECT_EQ(a.get(next(w), 1).bytes, block{}.bytes);
    w.barrier();
  });
}

TEST_P(windows, lose_no_addition) {
  on_all([](world& w) {
    constexpr int each = 200;
    window<std::int32_t> sums(w, 2);
    window<std::uint64_t> tickets(w, 1);
    std::vector<number> mine;
    for (int i = 0; i < each; ++i) {
      for (int pe = 0; pe < w.size(); ++pe) sums.add(-3, pe, 1);
      mine.push_back(tickets.fetch_add(1, 0, 0));
    }
    sums.flush();
    w.barrier();
    EXPECT_EQ(sums.local()[0], 0);
    EXPECT_EQ(sums.local()[1], -3 * each * w.size());
    // No ticket was given out twice.
    std::vector<number> all;
    for (const auto& of_pe : w.all_gather(mine)) all.insert(all.end(), of_pe.begin(), of_pe.end());
    std::ranges::sort(all);
    for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], i);
  });
}

TEST_P(windows, do_every_atomic_operation) {
  struct two_numbers {
    std::uint16_t a, b;
    bool operator==(const two_numbers&) const = default;
  };
  on_all([](world& w) {
    const int pe = next(w);
    window<std::uint8_t> small(w, 3);
    EXPECT_EQ(small.fetch_add(250, pe, 1), 0);
    EXPECT_EQ(small.fetch_add(10, pe, 1), 250);
    EXPECT_EQ(small.fetch_or(3, pe, 1), 4);
    EXPECT_EQ(small.load(pe, 1), 7);
    w.barrier();
    EXPECT_EQ(small.local()[0] + small.local()[2], 0);

    window<two_numbers> pairs(w, 2);
    pairs.store({1, 2}, pe, 1);
    EXPECT_EQ(pairs.swap({3, 4}, pe, 1), (two_numbers{1, 2}));
    EXPECT_EQ(pairs.compare_swap({1, 2}, {5, 6}, pe, 1), (two_numbers{3, 4}));
    EXPECT_EQ(pairs.compare_swap({3, 4}, {7, 8}, pe, 1), (two_numbers{3, 4}));
    EXPECT_EQ(pairs.load(pe, 1), (two_numbers{7, 8}));
    EXPECT_EQ(pairs.load(pe, 0), (two_numbers{0, 0}));
    w.barrier();

    window<double> reals(w, 1);
    EXPECT_EQ(reals.swap(0.5, pe, 0), 0.0);
    EXPECT_EQ(reals.load(pe, 0), 0.5);
    w.barrier();
  });
}

// Several PEs count up by compare_swap alone.
TEST_P(windows, swap_only_what_is_expected) {
  on_all([](world& w) {
    constexpr number each = 20;
    window<number> a(w, 1);
    for (number i = 0; i < each; ++i) {
      number seen = a.load(0, 0);
      for (;;) {
        const number was = a.compare_swap(seen, seen + 1, 0, 0);
        if (was == seen) break;
        seen = was;
      }
    }
    w.barrier();
    EXPECT_EQ(a.load(0, 0), each * static_cast<number>(w.size()));
    w.barrier();
  });
}

// The flag is put behind the data, with a fence between: a PE that sees the flag sees the data.
TEST_P(windows, keep_order_at_a_fence) {
  on_all([](world& w) {
    constexpr number rounds = 50;
    window<number> data(w, 700);
    window<number> flag(w, 2);
    std::vector<number> values(700);
    for (number round = 1; round <= rounds; ++round) {
      std::ranges::fill(values, round);
      data.put(values, next(w), 0);
      data.fence();
      flag.store(round, next(w), 0);
      flag.wait_until(0, [round](number n) { return n >= round; });
      for (const number n : data.local()) ASSERT_EQ(n, round);
      // The data may be overwritten.
      flag.store(round, before(w), 1);
      flag.wait_until(1, [round](number n) { return n >= round; });
    }
    w.barrier();
  });
}

TEST_P(windows, are_reached_directly_within_a_node) {
  on_all([](world& w) {
    window<number> a(w, 4);
    a.local()[2] = mark(w.rank(), 2);
    w.barrier();
    for (int pe = 0; pe < w.size(); ++pe) {
      const std::span<number> direct = a.direct(pe);
      ASSERT_EQ(direct.size(), w.is_local(pe) ? 4U : 0U);
      if (!direct.empty()) {
        EXPECT_EQ(direct[2], mark(pe, 2));
      }
    }
    w.barrier();
  });
}

// All operations of a PE on the part of another PE take effect there in order, on any route: the PE
// finds its own changes, also without a flush.
TEST_P(windows, show_a_pe_its_own_operations_in_order) {
  on_all([](world& w) {
    constexpr std::size_t each = 800;  // more than a message
    const int to = next(w);
    window<number> a(w, each);
    std::vector<number> expected(each);
    dice d(static_cast<std::uint64_t>(w.rank()) + 99);
    const auto below = [&](std::size_t n) {
      return static_cast<std::size_t>(d.below(static_cast<int>(n)));
    };
    for (number step = 1; step <= 400; ++step) {
      const std::size_t i = below(each);
      const std::size_t length = 1 + below(each - i);
      switch (d.below(8)) {
        case 0:
          a.put(step, to, i);
          expected[i] = step;
          break;
        case 1:
          a.put(std::vector<number>(length, step), to, i);
          std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(i), length, step);
          break;
        case 2:
          a.put(std::vector<number>((each - i + 6) / 7, step), to, i, {.there = 7});
          for (std::size_t j = i; j < each; j += 7) expected[j] = step;
          break;
        case 3:
          a.add(step, to, i);
          expected[i] += step;
          break;
        case 4:
          EXPECT_EQ(a.swap(step, to, i), expected[i]);
          expected[i] = step;
          break;
        case 5:
          a.flush(to);
          break;
        case 6: {
          std::vector<number> found(length);
          a.get_nbi(found, to, i);
          a.flush();
          EXPECT_TRUE(std::equal(found.begin(), found.end(),
                                 expected.begin() + static_cast<std::ptrdiff_t>(i)));
          break;
        }
        default:
          EXPECT_EQ(a.get(to, i), expected[i]);
      }
    }
    std::vector<number> found(each);
    a.get(found, to, 0);
    EXPECT_EQ(found, expected);
    w.barrier();
  });
}

// Two fields belong together, and are less aligned than a word of their size.
struct two_halves {
  std::uint32_t half = 0;
  std::uint32_t other = 0;

  static two_halves of(std::uint32_t n) { return {n, ~n}; }
  [[nodiscard]] bool is_whole() const { return other == ~half || (half == 0 && other == 0); }
};

// Clang writes the structure by two stores where nothing forbids two stores.
struct mixed_halves {
  float half = 0;
  std::int32_t other = 0;

  static mixed_halves of(std::uint32_t n) {
    const auto exact = static_cast<std::int32_t>(n & 0xffff);
    return {static_cast<float>(exact), exact};
  }
  [[nodiscard]] bool is_whole() const { return half == static_cast<float>(other); }
};

// PE 0 writes; the last PE looks, also between the messages of a long span.
template <typename T>
void look_for_torn_elements(world& w, std::size_t elements,
                            const std::function<void(window<T>&, int)>& write) {
  window<T> a(w, elements + 1);
  counter done(w);
  const int last = w.size() - 1;
  if (w.rank() == 0 && last != 0) {
    write(a, last);
    a.flush();
    done.add(last);
  }
  if (w.rank() == last && last != 0) {
    std::size_t torn = 0;
    while (!done.test(1)) {
      for (std::size_t i = 0; i <= elements; ++i) torn += a.load(last, i).is_whole() ? 0 : 1;
    }
    EXPECT_EQ(torn, 0U);
  }
  w.barrier();
}

TEST_P(windows, show_no_element_of_a_span_torn) {
  on_all([](world& w) {
    constexpr std::size_t elements = 3000;  // of several messages
    constexpr std::uint32_t rounds = 20;
    look_for_torn_elements<two_halves>(w, elements, [](window<two_halves>& a, int to) {
      for (std::uint32_t round = 1; round <= rounds; ++round) {
        const std::vector<two_halves> values(elements, two_halves::of(round));
        a.put(std::span(values), to, 1);
        a.put(std::span(values).first(elements / 2), to, 0, {.there = 2});
      }
    });
  });
}

TEST_P(windows, show_no_single_element_torn) {
  on_all([](world& w) {
    constexpr std::uint32_t rounds = 2000;
    look_for_torn_elements<mixed_halves>(w, 0, [](window<mixed_halves>& a, int to) {
      for (std::uint32_t round = 1; round <= rounds; ++round) {
        a.put(mixed_halves::of(round), to, 0);
        if (round % 2 == 0) a.store(mixed_halves::of(round), to, 0);
        const bool got_whole = round % 16 != 0 || a.get(to, 0).is_whole();
        EXPECT_TRUE(got_whole);
      }
    });
  });
}

TEST_P(windows, are_written_over_themselves) {
  on_all([](world& w) {
    window<number> a(w, 100);
    std::iota(a.local().begin(), a.local().end(), number{0});
    a.put(a.local().first(99), w.rank(), 1);
    for (std::size_t i = 1; i < 100; ++i) EXPECT_EQ(a.local()[i], i - 1);
  });
}

TEST_P(windows, over_the_programs_own_memory) {
  on_all([](world& w) {
    std::vector<number> mine(4, 9);
    const bool can = w.substrate_name() == "threads" || w.substrate_name() == "simulated" ||
                     w.nodes() == w.size();
    if (!can) {
      EXPECT_THROW(window<number>(w, std::span(mine)), argument_error);
      return;
    }
    window<number> a(w, std::span(mine));
    a.put(mark(w.rank(), 1), next(w), 1);
    a.flush();
    w.barrier();
    EXPECT_EQ(mine, (std::vector<number>{9, mark(before(w), 1), 9, 9}));
    EXPECT_EQ(a.local().data(), mine.data());
    w.barrier();
  });
}

INSTANTIATE_TEST_SUITE_P(one_sided, windows, testing::ValuesIn(several_shapes()), by_name{});

}  // namespace
}  // namespace boxcar::test::window_test
