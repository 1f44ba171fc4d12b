// Monsters wait at their sender, and not too many of them: a push fails while more bytes wait than
// the largest item has, and succeeds once they have been taken.
#include <algorithm>
#include <gtest/gtest.h>

#include "elastic/checked_elastic.hpp"
#include "support/by_name.hpp"
#include "support/few_descriptors.hpp"
#include "support/run_on.hpp"
#include "support/sanitizers.hpp"

namespace boxcar::test::monster_bound_test {
namespace {

constexpr std::size_t monster = 6000;

class monster_bound : public testing::TestWithParam<elastic_setup> {
 protected:
  // PE 0 and its destination PE run the body; the other PEs advance only.
  void in_session(std::size_t largest_item,
                  const std::function<void(world&, checked_elastic&, int to)>& body) {
    ledger book(GetParam().shape.pes);
    run_on(GetParam().shape, [&](world& w) {
      checked_elastic c(w, largest_item, GetParam().options, book, {monster});
      c.in_session([&] {
        body(w, c, w.size() - 1);
        c.finish();
      });
    });
  }

  // Lets everything arrive that can, without pulls.
  static void advance_for_a_while(world& w, checked_elastic& c) {
    for (int i = 0; i < 20; ++i) {
      for (int j = 0; j < 20; ++j) c.advance(false);
      w.barrier();
    }
  }
};

TEST_P(monster_bound, makes_a_push_fail_until_the_monster_is_taken) {
  in_session(2 * monster - 1, [](world& w, checked_elastic& c, int to) {
    const bool sends = w.rank() == 0;
    if (sends) {
      EXPECT_TRUE(c.push(to));
      EXPECT_FALSE(c.push(to));
    }
    advance_for_a_while(w, c);
    if (sends) {
      EXPECT_FALSE(c.push(to)) << "nobody has pulled the first one";
    }
    w.barrier();
    while (w.rank() == to && !c.pull()) c.advance(false);
    w.barrier();
    if (sends && w.is_local(to)) {
      EXPECT_FALSE(c.push(to)) << "the first one can still be looked at";
    }
    w.barrier();
    if (w.rank() == to) {
      EXPECT_FALSE(c.pull());  // done with the first monster
    }
    w.barrier();
    if (sends) {
      EXPECT_TRUE(c.push(to));
    }
  });
}

TEST_P(monster_bound, counts_bytes_and_not_monsters) {
  in_session(3 * monster, [](world& w, checked_elastic& c, int to) {
    // A link has two buffers, and a ticket takes one.
    if (w.rank() == 0) {
      EXPECT_TRUE(c.push(to));
      EXPECT_TRUE(c.push(to));
    }
    advance_for_a_while(w, c);
  });
}

TEST_P(monster_bound, leaves_room_for_one_of_the_largest) {
  in_session(monster, [](world& w, checked_elastic& c, int to) {
    if (w.rank() == 0) {
      EXPECT_TRUE(c.push(to));
    }
  });
}

// Every PE sends monsters to every PE, itself included, and has room for one at a time.
TEST_P(monster_bound, does_not_stop_monsters_that_cross) {
  ledger book(GetParam().shape.pes);
  run_on(GetParam().shape, [&](world& w) {
    for (const std::size_t largest_item : {monster, 5 * monster}) {
      checked_elastic c(w, largest_item, GetParam().options, book, {monster, monster - 3});
      c.in_session([&] {
        int left = 10 * w.size();
        while (c.advance(left == 0)) {
          while (left > 0 && c.push(left % w.size())) --left;
          c.pull_all();
        }
      });
    }
  });
}

// Small items pass while a monster delays the next monster.
TEST_P(monster_bound, does_not_hold_up_small_items_to_others) {
  // All items over one link of the first hop have room there.
  const int receivers = std::min(GetParam().shape.pes, 8);
  run_on(GetParam().shape, [&](world& w) {
    elastic_conveyor c(w, monster, GetParam().options);
    const session s = c.begin();
    const std::vector<std::byte> large(monster);
    std::size_t pulled = 0;
    if (w.rank() == 0) {
      EXPECT_TRUE(c.push(large, 0));
      EXPECT_FALSE(c.push(large, 0));
      for (int pe = 0; pe < receivers; ++pe) {
        EXPECT_TRUE(c.push("small", pe));
        EXPECT_TRUE(c.push(std::string_view(), pe));
      }
    }
    while (c.advance(true)) {
      while (c.pull()) ++pulled;
    }
    EXPECT_EQ(pulled, w.rank() == 0 ? 3U : w.rank() < receivers ? 2U : 0U);
  });
}

// A push without free descriptors fails as with a full buffer.
TEST_P(monster_bound, leaves_room_for_files_of_the_client) {
  if (with_address_sanitizer) GTEST_SKIP() << "it looks at objects through a pipe";
  if (GetParam().shape.substrate != substrate_kind::processes || GetParam().shape.nodes > 1) return;
  run_on(GetParam().shape, [&](world& w) {
    constexpr std::size_t bytes = 300'000;
    elastic_conveyor c(w, 1000 * bytes, GetParam().options);
    const session s = c.begin();
    const few_descriptors few(12);
    int left = w.rank() == 0 ? 60 : 0;
    int pulled = 0;
    while (c.advance(left == 0)) {
      while (left > 0 && c.push(std::vector<std::byte>(bytes, std::byte(left)), w.size() - 1)) {
        --left;
      }
      while (const auto item = c.pull()) {
        ASSERT_EQ(item->bytes.size(), bytes);
        ASSERT_EQ(item->bytes[bytes - 1], std::byte(60 - pulled));
        ++pulled;
      }
    }
    EXPECT_EQ(w.reduce(pulled), 60);
  });
}

INSTANTIATE_TEST_SUITE_P(elastic, monster_bound,
                         testing::ValuesIn(plain_elastic_setups(small_shapes())), by_name{});

}  // namespace
}  // namespace boxcar::test::monster_bound_test
