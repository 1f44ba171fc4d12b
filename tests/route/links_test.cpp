// Tests of the links of each PE, and of their number.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "grid/factorisations.hpp"
#include "route/paper_routing.hpp"
#include "route/tagged_route.hpp"

namespace boxcar::test::links_test {
namespace {

using detail::divisors;
using detail::tagged_route;

constexpr int most_pes = 130;

template <typename Check>
void for_every_route(const Check& check) {
  for (int hops = 1; hops <= 3; ++hops) {
    for (int pes = 1; pes <= most_pes; ++pes) {
      for (const int group : divisors(pes)) {
        SCOPED_TRACE(testing::Message()
                     << hops << " hops, " << pes << " PEs in groups of " << group);
        check(hops, pes, group);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

std::size_t links_of(const tagged_route& path, int pe) {
  std::size_t links = 0;
  for (int hop = 0; hop < path.hops(); ++hop) links += path.peers(hop, pe).size();
  return links;
}

std::size_t max_links(const tagged_route& path) {
  std::size_t most = 0;
  for (int pe = 0; pe < path.pes(); ++pe) most = std::max(most, links_of(path, pe));
  return most;
}

// The comparison also shows that links are symmetric and ascending, as in the paper.
TEST(links, are_those_of_the_paper) {
  for_every_route([](int hops, int pes, int group) {
    const tagged_route path = tagged_route::with_hops(hops, pes, group);
    const paper_routing paper(hops, pes, group);
    for (int hop = 0; hop < hops; ++hop) {
      for (int pe = 0; pe < pes; ++pe) {
        ASSERT_EQ(path.peers(hop, pe), paper.linked_from(hop, pe)) << "PE " << pe << " hop " << hop;
      }
    }
  });
}

TEST(links, lead_both_ways) {
  for_every_route([](int hops, int pes, int group) {
    const paper_routing paper(hops, pes, group);
    for (int hop = 0; hop < hops; ++hop) {
      for (int a = 0; a < pes; ++a) {
        for (int b = 0; b < a; ++b) ASSERT_EQ(paper.linked(hop, a, b), paper.linked(hop, b, a));
      }
    }
  });
}

TEST(links, of_one_hop_lead_everywhere) {
  for (const int pes : {1, 2, 17, 64, 500}) {
    const tagged_route path = tagged_route::direct(pes);
    for (int pe = 0; pe < pes; ++pe) ASSERT_EQ(links_of(path, pe), static_cast<std::size_t>(pes));
  }
}

TEST(links, of_two_hops_are_a_row_and_a_column) {
  for (int pes = 1; pes <= most_pes; ++pes) {
    for (const int group : divisors(pes)) {
      const tagged_route path = tagged_route::matrix(pes, group);
      const auto expected = static_cast<std::size_t>(group + pes / group);
      for (int pe = 0; pe < pes; ++pe) ASSERT_EQ(links_of(path, pe), expected);
    }
  }
}

TEST(links, of_three_hops_are_two_groups_and_one_link_for_each_x) {
  for (int pes = 1; pes <= most_pes; ++pes) {
    for (const int group : divisors(pes)) {
      const tagged_route path = tagged_route::tensor(pes, group);
      for (int pe = 0; pe < pes; ++pe) {
        // A last plane of groups that is not full has no partner for some PEs.
        const int first_partner = group * (pe % group) + pe / group % group;  // (0, z, y)
        const int planes = (pes - first_partner + group * group - 1) / (group * group);
        const int expected = 2 * group + std::max(planes, 0);
        ASSERT_EQ(links_of(path, pe), static_cast<std::size_t>(expected)) << pes << '/' << group;
      }
    }
  }
}

TEST(links, of_hops_that_are_to_stay_local_do) {
  for_every_route([](int hops, int pes, int group) {
    const tagged_route path = tagged_route::with_hops(hops, pes, group);
    for (int hop = 0; hop < hops; hop += 2) {
      if (hops == 1) continue;
      for (int pe = 0; pe < pes; ++pe) {
        for (const int peer : path.peers(hop, pe)) ASSERT_EQ(peer / group, pe / group);
      }
    }
  });
}

TEST(links, of_a_cube_are_three_edges) {
  for (const int edge : {1, 2, 3, 4, 5, 8, 16, 20}) {
    const tagged_route path = tagged_route::tensor(edge * edge * edge, edge);
    EXPECT_EQ(max_links(path), static_cast<std::size_t>(3 * edge));
  }
}

// The paper's claim, for numbers of PEs that have a suitable divisor.
TEST(links, grow_like_the_cube_root_if_the_group_suits) {
  std::vector<int> sizes{24 * 64, 48 * 100, 10 * 10 * 12, 17 * 17 * 19, 30030};
  for (int pes = 1; pes <= 32768 / 2; pes *= 2) sizes.push_back(pes);
  for (const int pes : sizes) {
    std::size_t best = static_cast<std::size_t>(pes) * 3;
    for (const int group : divisors(pes)) {
      best = std::min(best, links_of(tagged_route::tensor(pes, group), 0));
    }
    EXPECT_LE(static_cast<double>(best), 4 * std::cbrt(pes)) << pes << " PEs";
  }
}

}  // namespace
}  // namespace boxcar::test::links_test
