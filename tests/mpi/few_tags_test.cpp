// Tests of an MPI with few tags: tags wrap around while some are in use, and no two sets of links
// may have the same tag.
#include <gtest/gtest.h>
#include <mpi.h>

#include <boxcar/conveyor.hpp>
#include <boxcar/mpi.hpp>

#include "mpi/refusing_mpi.hpp"
#include "support/world_shape.hpp"

namespace boxcar::test::few_tags_test {
namespace {

// Every PE sends to all PEs, and gets the items of the same session and conveyor.
void use(world& w, conveyor<int>& c, int mark) {
  int left = 100 * w.size();
  int pulled = 0;
  const session s = c.begin();
  while (c.advance(left == 0)) {
    while (left > 0 && c.push(mark, left % w.size())) --left;
    for (int item = 0; c.pull(item); ++pulled) ASSERT_EQ(item, mark);
  }
  ASSERT_EQ(pulled, 100 * w.size());
}

TEST(few_tags, are_used_again_but_not_while_they_are_in_use) {
  constexpr int largest_tag = 5;
  offer_largest_tag(largest_tag);
  {
    world w =
        mpi::world_of(MPI_COMM_WORLD, {.nodes = cluster_pes()});  // none shares memory with another
    const conveyor_options small{.buffer_bytes = 64};
    conveyor<int> lasting(w, small);
    for (int round = 0; round < 3 * largest_tag; ++round) {
      conveyor<int> passing(w, small);
      const session open = lasting.begin();
      ASSERT_TRUE(lasting.push(round, (w.rank() + 1) % w.size()));
      use(w, passing, 1000 + round);
      int pulled = 0;
      while (lasting.advance(true)) {
        for (int item = 0; lasting.pull(item); ++pulled) ASSERT_EQ(item, round);
      }
      ASSERT_EQ(pulled, 1);
    }
  }
  offer_largest_tag(0);
}

}  // namespace
}  // namespace boxcar::test::few_tags_test
