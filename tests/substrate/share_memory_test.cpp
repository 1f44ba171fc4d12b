// Tests of shared memory of the PEs of a node, and of its reuse after all of them have released it.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <span>
#include <vector>

#include "substrate/substrate.hpp"
#include "support/by_name.hpp"
#include "support/run_on.hpp"

namespace boxcar::test::share_memory_test {
namespace {

using memory = std::unique_ptr<detail::node_memory>;

constexpr std::size_t mebibyte = std::size_t{1} << 20;

// The first word of a PE's block.
std::uint64_t& word_of(const memory& m, const world& w, int pe) {
  return *reinterpret_cast<std::uint64_t*>(m->block(w.substrate()->layout().local_rank(pe)));
}
std::uint64_t& my_word(const memory& m, const world& w) {
  return word_of(m, w, w.rank());
}

class share_memory : public testing::TestWithParam<world_shape> {
 protected:
  void on_all(const std::function<void(world&, detail::substrate&)>& body) {
    run_on(GetParam(), [&](world& w) { body(w, *w.substrate()); });
  }

  // All PEs of the node see the writes of one PE.
  static void check(world& w, const memory& m, std::uint64_t mark) {
    my_word(m, w) = mark + static_cast<std::uint64_t>(w.rank());
    w.barrier();
    for (int pe = 0; pe < w.size(); ++pe) {
      if (w.node_of(pe) != w.node_of(w.rank())) continue;
      EXPECT_EQ(word_of(m, w, pe), mark + static_cast<std::uint64_t>(pe));
    }
    w.barrier();
  }
};

TEST_P(share_memory, is_seen_by_the_node) {
  on_all([](world& w, detail::substrate& s) {
    for (const bool keep : {false, true}) {
      check(w, s.share_memory(4096, keep), 1000);
      EXPECT_NE(s.share_memory(0, keep), nullptr);
    }
  });
}

TEST_P(share_memory, is_given_out_again) {
  on_all([](world& w, detail::substrate& s) {
    memory m = s.share_memory(mebibyte, true);
    const std::uint64_t* const first = &my_word(m, w);
    for (int i = 0; i < 5; ++i) {
      m.reset();
      m = s.share_memory(mebibyte, true);
      EXPECT_EQ(&my_word(m, w), first);
      check(w, m, 7);
    }
  });
}

TEST_P(share_memory, is_not_given_out_while_a_pe_has_it) {
  on_all([](world& w, detail::substrate& s) {
    memory old = s.share_memory(mebibyte, true);
    check(w, old, 100);
    memory kept_longer;
    if (w.rank() == w.size() - 1) kept_longer = std::move(old);
    old.reset();
    const memory fresh = s.share_memory(mebibyte, true);
    check(w, fresh, 200);
    if (kept_longer == nullptr) return;
    EXPECT_NE(&my_word(kept_longer, w), &my_word(fresh, w));
    EXPECT_EQ(my_word(kept_longer, w), 100U + static_cast<std::uint64_t>(w.rank()));
  });
}

TEST_P(share_memory, of_several_sizes_and_in_any_order) {
  on_all([](world& w, detail::substrate& s) {
    for (int round = 0; round < 10; ++round) {
      std::vector<memory> all;
      for (std::size_t i = 0; i < 6; ++i) {
        all.push_back(s.share_memory(4096 * (1 + i % 3), i % 4 != 0));
      }
      for (std::size_t i = 0; i < all.size(); ++i) check(w, all[i], 10 * i);
      // Each PE drops them in another order.
      for (std::size_t i = 0; i < all.size(); ++i) {
        all[(i * 5 + static_cast<std::size_t>(w.rank())) % all.size()].reset();
      }
    }
  });
}

// Each PE chooses its size, and blocks do not overlap.
TEST_P(share_memory, is_as_much_as_each_pe_asks_for) {
  on_all([](world& w, detail::substrate& s) {
    for (const bool keep : {false, true}) {
      const auto words = static_cast<std::size_t>(1 + 100 * (w.rank() % 3));
      const memory m = s.share_memory(words * sizeof(std::uint64_t), keep);
      const std::span<std::uint64_t> mine(&my_word(m, w), words);
      std::ranges::fill(mine, static_cast<std::uint64_t>(w.rank()));
      w.barrier();
      EXPECT_EQ(std::ranges::count(mine, static_cast<std::uint64_t>(w.rank())),
                static_cast<std::ptrdiff_t>(words));
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(mine.data()) % 64, 0U);
      w.barrier();
    }
  });
}

TEST_P(share_memory, outlives_the_world) {
  on_all([](world& w, detail::substrate&) {
    memory m;
    std::uint64_t* mine = nullptr;
    {
      const auto part = w.split(w.rank() % 2);
      m = part->substrate()->share_memory(4096, true);
      mine = &my_word(m, *part);
    }
    *mine = 1;
  });
}

INSTANTIATE_TEST_SUITE_P(substrate, share_memory, testing::ValuesIn(small_shapes()), by_name{});

}  // namespace
}  // namespace boxcar::test::share_memory_test
