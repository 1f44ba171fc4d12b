// Memory that the PEs of a node share, and its use again when all of them have dropped it.
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

#include "substrate/substrate.hpp"
#include "support/by_name.hpp"
#include "support/run_on.hpp"

namespace boxcar::test {
namespace {

using memory = std::unique_ptr<detail::shared_memory>;

constexpr std::size_t mebibyte = std::size_t{1} << 20;

std::uint64_t& word_of(const memory& m, int pe) {
  return reinterpret_cast<std::uint64_t*>(m->data())[pe];
}

class share_memory : public testing::TestWithParam<world_shape> {
 protected:
  void on_all(const std::function<void(world&, detail::substrate&)>& body) {
    run_on(GetParam(), [&](world& w) { body(w, *w.substrate()); });
  }

  // What one PE writes all of its node see.
  static void check(world& w, const memory& m, std::uint64_t mark) {
    word_of(m, w.rank()) = mark + static_cast<std::uint64_t>(w.rank());
    w.barrier();
    for (int pe = 0; pe < w.size(); ++pe) {
      if (w.node_of(pe) != w.node_of(w.rank())) continue;
      EXPECT_EQ(word_of(m, pe), mark + static_cast<std::uint64_t>(pe));
    }
    w.barrier();
  }
};

TEST_P(share_memory, is_seen_by_the_node) {
  on_all([](world& w, detail::substrate& s) {
    for (const bool keep : {false, true}) {
      const memory m = s.share_memory(4096, keep);
      EXPECT_EQ(m->bytes(), 4096U);
      check(w, m, 1000);
      const memory nothing = s.share_memory(0, keep);
      EXPECT_EQ(nothing->bytes(), 0U);
    }
  });
}

TEST_P(share_memory, is_given_out_again) {
  on_all([](world& w, detail::substrate& s) {
    memory m = s.share_memory(mebibyte, true);
    const std::byte* const first = m->data();
    for (int i = 0; i < 5; ++i) {
      m.reset();
      m = s.share_memory(mebibyte, true);
      EXPECT_EQ(m->data(), first);
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
    EXPECT_NE(kept_longer->data(), fresh->data());
    EXPECT_EQ(word_of(kept_longer, w.rank()), 100U + static_cast<std::uint64_t>(w.rank()));
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

TEST_P(share_memory, outlives_the_world) {
  on_all([](world& w, detail::substrate&) {
    memory m;
    {
      const auto part = w.split(w.rank() % 2);
      m = part->substrate()->share_memory(4096, true);
    }
    word_of(m, 0) = 1;
  });
}

INSTANTIATE_TEST_SUITE_P(substrate, share_memory, testing::ValuesIn(small_shapes()), by_name{});

}  // namespace
}  // namespace boxcar::test
