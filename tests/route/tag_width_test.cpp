// Tags are as short as the paper says (conveyors-2019, section 4.3.1).
#include <gtest/gtest.h>

#include "grid/factorisations.hpp"
#include "route/tagged_route.hpp"

namespace boxcar::test::tag_width_test {
namespace {

using detail::divisors;
using detail::tagged_route;

TEST(tag_width, none_for_a_vector) {
  for (const int pes : {1, 2, 255, 257, 32767})
    EXPECT_EQ(tagged_route::direct(pes).tag_bytes(0), 0);
}

// Between nodes the tag is the column of the source.
TEST(tag_width, one_byte_between_nodes_for_a_matrix) {
  for (const int group : {2, 16, 17, 255, 256}) {
    for (const int rows : {1, 2, 100}) {
      EXPECT_EQ(tagged_route::matrix(group * rows, group).tag_bytes(1), 1)
          << group << " x " << rows;
    }
  }
  EXPECT_EQ(tagged_route::matrix(257 * 2, 257).tag_bytes(1), 2);
}

TEST(tag_width, two_bytes_or_one_between_nodes_for_a_tensor) {
  for (const int group : {2, 3, 8, 15, 16}) {
    EXPECT_EQ(tagged_route::tensor(group * 100, group).tag_bytes(1), 1) << group;
  }
  for (const int group : {17, 24, 48, 64, 128, 256}) {
    EXPECT_EQ(tagged_route::tensor(group * 100, group).tag_bytes(1), 2) << group;
  }
  EXPECT_EQ(tagged_route::tensor(257 * 100, 257).tag_bytes(1), 4);
}

TEST(tag_width, is_never_more_than_a_word) {
  for (int pes = 1; pes <= 2000; ++pes) {
    for (const int group : divisors(pes)) {
      for (int hops = 1; hops <= 3; ++hops) {
        const tagged_route path = tagged_route::with_hops(hops, pes, group);
        for (int hop = 0; hop < hops; ++hop) {
          const int bytes = path.tag_bytes(hop);
          ASSERT_TRUE(bytes == 0 || bytes == 1 || bytes == 2 || bytes == 4) << bytes;
        }
      }
    }
  }
}

// The content of a tag takes no bytes if there is only one possibility.
TEST(tag_width, none_where_there_is_one_way_only) {
  EXPECT_EQ(tagged_route::matrix(64, 1).tag_bytes(1), 0);
  EXPECT_EQ(tagged_route::matrix(64, 64).tag_bytes(0), 0);
  EXPECT_EQ(tagged_route::tensor(64, 1).tag_bytes(1), 0);
}

}  // namespace
}  // namespace boxcar::test::tag_width_test
