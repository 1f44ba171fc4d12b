// Barrier, broadcast, gather and reduce, with values of many sizes: small ones travel at once,
// larger ones in chunks.
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <vector>

#include <boxcar/error.hpp>

#include "support/by_name.hpp"
#include "support/dice.hpp"
#include "support/run_on.hpp"
#include "support/shared_array.hpp"
#include "support/thrown.hpp"

namespace boxcar::test {
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

// Calls `f` with blocks of sizes around those of the chunks in which they travel.
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

// x -> factor * x + summand, modulo a prime. To compose such functions is associative, but not
// commutative.
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

// Values that are larger than a chunk are combined as a whole, too.
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

// What the others contribute meanwhile leaves room for what the late one does.
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
}  // namespace boxcar::test
