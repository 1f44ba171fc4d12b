// Tests of the properties of every member of the family.
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <tuple>

#include "route/many_routes.hpp"
#include "support/dice.hpp"

namespace boxcar::test::every_route_test {
namespace {

// A route with the links of all PEs looked up once.
class walked_route {
 public:
  explicit walked_route(const route& r) : route_(r) {
    for (int pe = 0; pe < r.pes(); ++pe) {
      leaving_.push_back(r.links(pe));
      arriving_.push_back(r.links_from_others(pe));
    }
  }

  void check_links() const {
    std::map<std::tuple<int, int, int>, int> seen;  // from, to, stage
    for (int pe = 0; pe < route_.pes(); ++pe) {
      check_order(leaving_[index(pe)]);
      check_order(arriving_[index(pe)]);
      for (const hop& link : leaving_[index(pe)]) {
        ASSERT_NE(link.pe, pe) << "a link of PE " << pe << " with itself";
        seen[{pe, link.pe, link.stage}] += 1;
      }
      for (const hop& link : arriving_[index(pe)]) seen[{link.pe, pe, link.stage}] += 2;
    }
    for (const auto& [link, count] : seen) {
      ASSERT_EQ(count, 3) << "the link from " << std::get<0>(link) << " to " << std::get<1>(link)
                          << " on stage " << std::get<2>(link) << " is known at one end only";
    }
  }

  // Checks that the item arrives, by existing links, on ascending stages.
  void check_way(int from, int to) const {
    int stage = -1;
    int count = 0;
    for (int at = from; at != to; ++count) {
      const hop next = route_.next(at, to);
      ASSERT_TRUE(has_link(at, next)) << at << " to " << next.pe << " on stage " << next.stage
                                      << " on the way from " << from << " to " << to;
      ASSERT_GT(next.stage, stage) << "at " << at << " from " << from << " to " << to;
      stage = next.stage;
      at = next.pe;
    }
    ASSERT_EQ(route_.hops(from, to), count);
    ASSERT_LT(stage, route_.stages());
  }

  // A broadcast comes to every PE once.
  void check_broadcast(int from) const {
    std::vector<int> copies(static_cast<std::size_t>(route_.pes()));
    std::vector<hop> arrivals{{from, route::source}};
    while (!arrivals.empty()) {
      const hop arrival = arrivals.back();
      arrivals.pop_back();
      const broadcast_step step = route_.broadcast(arrival.pe, arrival.stage);
      if (step.here) ++copies[index(arrival.pe)];
      for (const hop& next : step.onward) {
        ASSERT_GT(next.stage, arrival.stage) << "at " << arrival.pe;
        ASSERT_TRUE(has_link(arrival.pe, next)) << arrival.pe << " to " << next.pe;
        arrivals.push_back(next);
      }
    }
    for (int pe = 0; pe < route_.pes(); ++pe) {
      ASSERT_EQ(copies[index(pe)], 1) << "of a broadcast from " << from << " at " << pe;
    }
  }

 private:
  static std::size_t index(int pe) { return static_cast<std::size_t>(pe); }

  static void check_order(const std::vector<hop>& links) {
    for (std::size_t i = 1; i < links.size(); ++i) {
      const hop& a = links[i - 1];
      const hop& b = links[i];
      ASSERT_LT(std::tie(a.stage, a.pe), std::tie(b.stage, b.pe));
    }
  }

  [[nodiscard]] bool has_link(int from, const hop& to) const {
    const std::vector<hop>& links = leaving_[index(from)];
    return std::find(links.begin(), links.end(), to) != links.end();
  }

  route route_;
  std::vector<std::vector<hop>> leaving_;
  std::vector<std::vector<hop>> arriving_;
};

TEST(every_route, is_right_for_every_pair_of_every_small_world) {
  for (int pes = 1; pes <= 40; ++pes) {
    for (const route& r : every_route(pes)) {
      SCOPED_TRACE(r.describe());
      const walked_route walked(r);
      walked.check_links();
      for (int from = 0; from < pes && !HasFatalFailure(); ++from) {
        walked.check_broadcast(from);
        for (int to = 0; to < pes; ++to) walked.check_way(from, to);
      }
      if (HasFatalFailure()) return;
    }
  }
}

TEST(every_route, is_right_for_every_pair_of_some_worlds_of_about_a_hundred) {
  for (const int pes : {96, 97, 120, 128}) {
    for (const route& r : every_route(pes)) {
      SCOPED_TRACE(r.describe());
      if (r.describe().find("incomplete") != std::string::npos) continue;
      const walked_route walked(r);
      walked.check_links();
      for (int from = 0; from < pes && !HasFatalFailure(); ++from) {
        for (int to = 0; to < pes; ++to) walked.check_way(from, to);
      }
      walked.check_broadcast(pes / 3);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(every_route, is_right_for_many_pairs_of_large_worlds) {
  for (const route& r : large_routes()) {
    SCOPED_TRACE(r.describe());
    const walked_route walked(r);
    walked.check_links();
    dice d(program_seed(static_cast<std::uint64_t>(r.pes())));
    for (int i = 0; i < 20000 && !HasFatalFailure(); ++i) {
      walked.check_way(d.below(r.pes()), d.below(r.pes()));
    }
    for (int i = 0; i < 5 && !HasFatalFailure(); ++i) walked.check_broadcast(d.below(r.pes()));
    walked.check_broadcast(r.pes() - 1);
    if (HasFatalFailure()) return;
  }
}

TEST(every_route, stays_where_it_is_without_a_hop) {
  for (const route& r : every_route(12)) {
    for (int pe = 0; pe < 12; ++pe) {
      EXPECT_EQ(r.next(pe, pe), (hop{pe, r.stages() - 1}));
      EXPECT_EQ(r.hops(pe, pe), 0);
    }
  }
}

}  // namespace
}  // namespace boxcar::test::every_route_test
