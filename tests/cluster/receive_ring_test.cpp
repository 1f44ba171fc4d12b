// Tests that the receives of a mailbox are posted and read in turn.
#include "substrate/cluster/receive_ring.hpp"

#include <cstddef>
#include <deque>
#include <gtest/gtest.h>

#include "support/dice.hpp"

namespace boxcar::detail::receive_ring_test {
namespace {

TEST(receive_ring, has_nothing_posted_at_first) {
  const receive_ring<4> ring;
  EXPECT_EQ(ring.num_posted(), 0U);
  EXPECT_EQ(ring.next(), 0U);
}

TEST(receive_ring, of_one_is_posted_again_and_again) {
  receive_ring<1> ring;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(ring.next(), 0U);
    ring.note_posted();
    EXPECT_EQ(ring.num_posted(), 1U);
    EXPECT_EQ(ring.oldest(), 0U);
    ring.take();
  }
}

// Posts and reads any number at a time, beside a queue.
TEST(receive_ring, reads_in_the_order_of_posting) {
  constexpr std::size_t size = 5;
  receive_ring<size> ring;
  std::deque<std::size_t> posted;
  test::dice d(5);
  for (int step = 0; step < 1000; ++step) {
    if (posted.size() < size && d.below(2) == 0) {
      posted.push_back(ring.next());
      ring.note_posted();
    } else if (!posted.empty()) {
      ASSERT_EQ(ring.oldest(), posted.front());
      ring.take();
      posted.pop_front();
    }
    ASSERT_EQ(ring.num_posted(), posted.size());
    for (std::size_t i = 0; i < posted.size(); ++i) ASSERT_EQ(ring.posted(i), posted[i]);
  }
}

}  // namespace
}  // namespace boxcar::detail::receive_ring_test
