// Tests of barrier, broadcast, gather and reduce, with values of many sizes: small values travel at
// once, larger values in chunks.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <iterator>
#include <malloc.h>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <boxcar/error.hpp>

#include "support/by_name.hpp"
#include "support/dice.hpp"
#include "support/run_on.hpp"
#include "support/shared_array.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::collectives_test {
namespace {

template <std::size_t Bytes>
using block = std::array<unsigned char, Bytes>;

// Different for each PE.
template <std::size_t Bytes>
block<Bytes> block_of(int pe) {
  block<Bytes> b;
  dice d(static_cast<std::uint64_t>(pe));
  for (unsigned char& c : b) c = static_cast<unsigned char>(d.next());
  return b;
}

// Calls `f` with blocks of sizes around the sizes of the chunks in which they travel.
template <typename Function>
void with_block_sizes(const Function& f) {
  f.template operator()<1>();
  f.template operator()<3>();
  f.template operator()<8>();
  f.template operator()<447>();
  f.template operator()<448>();
  f.template operator()<449>();
  f.template operator()<896>();
  f.template operator()<1000>();
  f.template operator()<5000>();
}

// The function x -> factor * x + summand, modulo a prime. Composition of these functions is
// associative, but not commutative.
struct affine {
  std::uint64_t factor;
  std::uint64_t summand;
  friend bool operator==(const affine&, const affine&) = default;
};

affine compose(affine a, affine b) {
  constexpr std::uint64_t prime = 1'000'003;
  return {a.factor * b.factor % prime, (a.factor * b.summand + a.summand) % prime};
}

affine affine_of(int pe) {
  return {static_cast<std::uint64_t>(pe) * 7 + 2, static_cast<std::uint64_t>(pe) * 13 + 5};
}

class collectives : public testing::TestWithParam<world_shape> {};

TEST_P(collectives, barrier_waits_for_all) {
  constexpr int rounds = 20;
  shared_array<std::atomic<int>> arrived(1);
  run_on(GetParam(), [&](world& w) {
    dice d(static_cast<std::uint64_t>(w.rank()));
    for (int round = 1; round <= rounds; ++round) {
      if (d.chance(5)) w.sleep(std::chrono::milliseconds(1));
      ++arrived[0];
      w.barrier();
      EXPECT_GE(arrived[0], round * w.size());
      w.barrier();
    }
    EXPECT_EQ(arrived[0], rounds * w.size());
  });
}

TEST_P(collectives, broadcast_comes_from_every_root) {
  run_on(GetParam(), [](world& w) {
    with_block_sizes([&]<std::size_t Bytes>() {
      for (int root = 0; root < w.size(); ++root) {
        ASSERT_EQ(w.broadcast(block_of<Bytes>(w.rank()), root), block_of<Bytes>(root));
      }
    });
    EXPECT_EQ(w.broadcast(w.rank() + 100), 100);  // from PE 0 if nothing else is said
  });
}

TEST_P(collectives, all_gather_is_in_the_order_of_ranks) {
  run_on(GetParam(), [](world& w) {
    with_block_sizes([&]<std::size_t Bytes>() {
      const auto all = w.all_gather(block_of<Bytes>(w.rank()));
      ASSERT_EQ(all.size(), static_cast<std::size_t>(w.size()));
      for (int pe = 0; pe < w.size(); ++pe) {
        ASSERT_EQ(all[static_cast<std::size_t>(pe)], block_of<Bytes>(pe));
      }
    });
  });
}

TEST_P(collectives, gather_is_for_the_root_only) {
  run_on(GetParam(), [](world& w) {
    for (int root = 0; root < w.size(); ++root) {
      const std::vector<int> all = w.gather(w.rank() * 3, root);
      if (w.rank() != root) {
        EXPECT_TRUE(all.empty());
        continue;
      }
      ASSERT_EQ(all.size(), static_cast<std::size_t>(w.size()));
      for (int pe = 0; pe < w.size(); ++pe) EXPECT_EQ(all[static_cast<std::size_t>(pe)], pe * 3);
    }
  });
}

TEST_P(collectives, reduce_adds) {
  run_on(GetParam(), [](world& w) {
    EXPECT_EQ(w.reduce(w.rank()), w.size() * (w.size() - 1) / 2);
    EXPECT_EQ(w.reduce(0.5), 0.5 * w.size());
    const auto larger = [](int a, int b) { return std::max(a, b); };
    EXPECT_EQ(w.reduce(-w.rank(), larger), 0);
  });
}

TEST_P(collectives, reduce_combines_in_the_order_of_ranks) {
  run_on(GetParam(), [](world& w) {
    affine expected = affine_of(0);
    for (int pe = 1; pe < w.size(); ++pe) expected = compose(expected, affine_of(pe));
    EXPECT_EQ(w.reduce(affine_of(w.rank()), compose), expected);
  });
}

// Values larger than a chunk are combined as a whole, too.
TEST_P(collectives, reduce_combines_large_values) {
  using table = std::array<affine, 100>;
  run_on(GetParam(), [](world& w) {
    const auto table_of = [](int pe) {
      table t;
      for (std::size_t i = 0; i < t.size(); ++i) t[i] = affine_of(pe + static_cast<int>(i));
      return t;
    };
    const auto combine = [](const table& a, const table& b) {
      table t;
      for (std::size_t i = 0; i < t.size(); ++i) t[i] = compose(a[i], b[i]);
      return t;
    };
    table expected = table_of(0);
    for (int pe = 1; pe < w.size(); ++pe) expected = combine(expected, table_of(pe));
    EXPECT_EQ(w.reduce(table_of(w.rank()), combine), expected);
  });
}

// Lengths from none to some chunks, and one large length.
constexpr std::size_t lengths[] = {0, 1, 3, 55, 56, 57, 400, 3000};

std::vector<affine> affines_of(int pe, std::size_t length) {
  std::vector<affine> all;
  for (std::size_t i = 0; i < length; ++i) all.push_back(affine_of(pe + static_cast<int>(i)));
  return all;
}

// The expected combination of the values of `pes` PEs.
std::vector<affine> composed(int pes, std::size_t length) {
  std::vector<affine> all = affines_of(0, length);
  for (int pe = 1; pe < pes; ++pe) {
    const auto next = affines_of(pe, length);
    for (std::size_t i = 0; i < length; ++i) all[i] = compose(all[i], next[i]);
  }
  return all;
}

TEST_P(collectives, combine_element_by_element) {
  run_on(GetParam(), [](world& w) {
    for (const std::size_t length : lengths) {
      const auto mine = affines_of(w.rank(), length);
      ASSERT_EQ(w.reduce(mine, compose), composed(w.size(), length));
      ASSERT_EQ(w.scan(mine, compose), composed(w.rank() + 1, length));
      const auto first = affine_of(-1);
      std::vector<affine> before(length, first);
      if (w.rank() != 0) before = composed(w.rank(), length);
      for (affine& a : before) a = w.rank() == 0 ? a : compose(first, a);
      ASSERT_EQ(w.exclusive_scan(mine, first, compose), before);
      auto in_place = mine;
      w.scan(std::span(in_place), compose);
      ASSERT_EQ(in_place, composed(w.rank() + 1, length));
    }
  });
}

// An element may be larger than a chunk.
TEST_P(collectives, scan_large_values) {
  using table = std::array<affine, 100>;
  const auto combine = [](const table& a, const table& b) {
    table t;
    for (std::size_t i = 0; i < t.size(); ++i) t[i] = compose(a[i], b[i]);
    return t;
  };
  run_on(GetParam(), [&](world& w) {
    std::vector<table> mine(2);
    for (std::size_t i = 0; i < 2; ++i) {
      std::ranges::copy(affines_of(w.rank() + static_cast<int>(i), 100), mine[i].begin());
    }
    const auto all = w.scan(mine, combine);
    EXPECT_TRUE(std::ranges::equal(all[0], composed(w.rank() + 1, 100)));
    EXPECT_TRUE(w.reduce(std::vector<table>(), combine).empty());
  });
}

TEST_P(collectives, combine_by_named_operations) {
  run_on(GetParam(), [](world& w) {
    const int r = w.rank();
    EXPECT_EQ(w.reduce(r, minimum{}), 0);
    EXPECT_EQ(w.reduce(r, maximum{}), w.size() - 1);
    EXPECT_EQ(w.scan(1), r + 1);
    EXPECT_EQ(w.exclusive_scan(2, 5), 5 + 2 * r);
    EXPECT_EQ(w.reduce(r == 0, std::logical_or<>{}), true);
    EXPECT_EQ(w.reduce(r == 0, std::logical_and<>{}), w.size() == 1);
    const std::vector<bool> bits{true, r == 0, false};
    EXPECT_EQ(w.reduce(bits, std::logical_and<>{}),
              (std::vector<bool>{true, w.size() == 1, false}));
    EXPECT_EQ(w.exclusive_scan(bits, false, std::logical_or<>{}),
              (std::vector<bool>{r != 0, r != 0, false}));
    int sums[2] = {r, 1};
    w.reduce(std::span(sums));
    EXPECT_EQ(sums[1], w.size());
  });
}

TEST_P(collectives, broadcast_as_many_as_the_root_has) {
  run_on(GetParam(), [](world& w) {
    for (const std::size_t length : lengths) {
      const int root = static_cast<int>(length) % w.size();
      std::vector<affine> values(w.rank() == root ? length : 2);
      if (w.rank() == root) values = affines_of(root, length);
      ASSERT_EQ(w.broadcast(values, root), affines_of(root, length));
      const std::string text(w.rank() == root ? length : 1, 'x');
      ASSERT_EQ(w.broadcast(text, root), std::string(length, 'x'));
    }
    std::vector<long> in_place(700, w.rank());
    w.broadcast(std::span(in_place), w.size() - 1);
    EXPECT_EQ(in_place, std::vector<long>(700, w.size() - 1));
    EXPECT_EQ(w.broadcast(std::vector<bool>{w.rank() == 0, false}),
              (std::vector<bool>{true, false}));
  });
}

// The length of PE `pe`: some PEs have none and some have many.
std::size_t length_of(int pe, std::size_t round) {
  return lengths[(static_cast<std::size_t>(pe) + round) % std::size(lengths)];
}

TEST_P(collectives, gather_of_each_as_many_as_it_has) {
  run_on(GetParam(), [](world& w) {
    for (std::size_t round = 0; round < std::size(lengths); ++round) {
      const int root = static_cast<int>(round) % w.size();
      const auto mine = affines_of(w.rank(), length_of(w.rank(), round));
      const std::string text(mine.size(), static_cast<char>('a' + w.rank() % 26));
      const auto arrays = w.gather(std::span(mine), root);
      const auto texts = w.gather(text, root);
      if (w.rank() != root) {
        EXPECT_TRUE(arrays.empty());
        EXPECT_TRUE(texts.empty());
      } else {
        for (int pe = 0; pe < w.size(); ++pe) {
          const auto at = static_cast<std::size_t>(pe);
          ASSERT_EQ(arrays[at], affines_of(pe, length_of(pe, round)));
          ASSERT_EQ(texts[at], std::string(length_of(pe, round), static_cast<char>('a' + pe % 26)));
        }
      }
      if (round % 3 != 0) continue;  // memory for all, on all
      const auto everywhere = w.all_gather(mine);
      for (int pe = 0; pe < w.size(); ++pe) {
        ASSERT_EQ(everywhere[static_cast<std::size_t>(pe)], affines_of(pe, length_of(pe, round)));
      }
    }
    EXPECT_EQ(w.all_gather(std::string("x")),
              std::vector<std::string>(static_cast<std::size_t>(w.size()), "x"));
    EXPECT_EQ(w.all_gather(std::vector<bool>{w.rank() == 0}).front(), std::vector<bool>{true});
    EXPECT_EQ(w.all_gather(w.rank() == 0).front(), true);
    const auto flags = w.gather(true, w.size() - 1);
    EXPECT_EQ(flags.size(), w.rank() == w.size() - 1 ? static_cast<std::size_t>(w.size()) : 0);
  });
}

// Megabytes, far more than is in flight at once; fewer between nodes, where there may be fewer
// cores than PEs.
TEST_P(collectives, take_much) {
  if (GetParam().pes > 4) return;
  const std::size_t length = GetParam().substrate == substrate_kind::cluster ? 40'000 : 400'000;
  run_on(GetParam(), [length](world& w) {
    std::vector<std::uint64_t> mine(length);
    std::iota(mine.begin(), mine.end(), static_cast<std::uint64_t>(w.rank()));
    const auto pes = static_cast<std::uint64_t>(w.size());
    const auto sums = w.reduce(mine);
    for (std::size_t i = 0; i < mine.size(); i += 997) {
      ASSERT_EQ(sums[i], pes * i + pes * (pes - 1) / 2);
    }
    const int root = w.size() - 1;
    const auto all = w.gather(std::move(mine), root);
    if (w.rank() != root) return;
    for (std::size_t pe = 0; pe < all.size(); ++pe) {
      ASSERT_EQ(all[pe].size(), length);
      ASSERT_EQ(all[pe].front(), pe);
      ASSERT_EQ(all[pe].back(), pe + length - 1);
    }
  });
}

// A figure of /proc/self/status for the process: VmRSS, the resident memory, or VmHWM, its maximum
// since `forget_most_held`.
std::size_t held_bytes(const std::string& what) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::size_t kibibytes = 0;
    if (word == what + ":" && status >> kibibytes) return kibibytes * 1024;
  }
  return 0;
}
void forget_most_held() {
  malloc_trim(0);  // memory that was freed before must not be reused
  std::ofstream("/proc/self/clear_refs") << "5";
}

// PEs that forward the values of other PEs take no memory either.
TEST_P(collectives, gather_takes_memory_on_its_root_only) {
  const bool is_process = GetParam().substrate == substrate_kind::processes ||
                          GetParam().substrate == substrate_kind::cluster;
  if (!is_process || GetParam().pes < 3 || GetParam().pes > 8) return;
  run_on(GetParam(), [](world& w) {
    constexpr int root = 1;
    const std::vector<int> mine(1 << 18, w.rank());
    w.barrier();
    forget_most_held();
    const std::size_t before = held_bytes("VmRSS");
    const auto all = w.gather(std::span(mine), root);
    const std::size_t most = held_bytes("VmHWM");
    ASSERT_NE(most, 0U);
    if (w.rank() == root) {
      // (Some of the memory may have been there before.)
      EXPECT_GE(most, before + static_cast<std::size_t>(w.size()) * sizeof(int) * mine.size() / 2);
      for (int pe = 0; pe < w.size(); ++pe) {
        EXPECT_EQ(all[static_cast<std::size_t>(pe)].back(), pe);
      }
    } else {
      EXPECT_LT(most, before + 2 * sizeof(int) * mine.size());
    }
  });
}

TEST_P(collectives, follow_one_another_without_a_pause) {
  run_on(GetParam(), [](world& w) {
    for (int round = 0; round < 100; ++round) {
      ASSERT_EQ(w.broadcast(w.rank() + round, round % w.size()), round % w.size() + round);
      ASSERT_EQ(w.reduce(1), w.size());
      if (round % 3 == 0) w.barrier();
      ASSERT_EQ(w.all_gather(round).back(), round);
    }
  });
}

// The contributions of the other PEs leave room for the contribution of the late PE.
TEST_P(collectives, wait_for_one_that_is_late) {
  using large = std::array<int, 1500>;
  run_on(GetParam(), [](world& w) {
    for (int late = 0; late < w.size() && late < 4; ++late) {
      if (w.rank() == late) w.sleep(std::chrono::milliseconds(20));
      large mine;
      mine.fill(w.rank());
      const auto all = w.all_gather(mine);
      for (int pe = 0; pe < w.size(); ++pe) {
        ASSERT_EQ(all[static_cast<std::size_t>(pe)].back(), pe);
      }
    }
  });
}

TEST_P(collectives, refuse_roots_that_there_are_not) {
  run_on(GetParam(), [](world& w) {
    for (const int root : {-1, w.size()}) {
      const auto refused = [](const auto& collective) {
        expect_mentions(thrown_by<argument_error>(collective), {"there is no PE"});
      };
      refused([&] { static_cast<void>(w.broadcast(1, root)); });
      refused([&] { static_cast<void>(w.gather(1, root)); });
    }
    w.barrier();  // the world is as good as before
  });
}

INSTANTIATE_TEST_SUITE_P(world, collectives, testing::ValuesIn(all_shapes()), by_name{});

}  // namespace
}  // namespace boxcar::test::collectives_test
