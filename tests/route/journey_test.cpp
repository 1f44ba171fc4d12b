// Tests of the journeys of items: every item has the stops of the paper, arrives, and carries its
// source, and its tag never needs more bytes than the tag has.
#include "route/journey.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <tuple>
#include <utility>

#include "grid/factorisations.hpp"
#include "route/paper_routing.hpp"
#include "support/dice.hpp"

namespace boxcar::test::journey_test {
namespace {

class journeys {
 public:
  journeys(int hops, int pes, int group)
      : hops_(hops), pes_(pes), group_(group), ways_(hops, pes, group), paper_(hops, pes, group) {}

  void check(int from, int to) const {
    const std::vector<leg> legs = ways_.journey(from, to);
    const std::vector<int> stops = paper_.stops(from, to);
    ASSERT_EQ(legs.size(), stops.size()) << "there is no such link" << context(from, to);
    for (std::size_t hop = 0; hop < legs.size(); ++hop) {
      ASSERT_EQ(legs[hop].stop, stops[hop]) << "hop " << hop + 1 << context(from, to);
      const int bytes = ways_.path().tag_bytes(static_cast<int>(hop));
      ASSERT_EQ(std::uint64_t{legs[hop].tag} >> (8 * bytes), 0U)
          << "tag of hop " << hop + 1 << context(from, to);
    }
    const int last_sender = legs.size() == 1 ? from : legs[legs.size() - 2].stop;
    ASSERT_EQ(ways_.path().source(last_sender).of(legs.back().tag), from) << context(from, to);
  }

  // The first steps from a PE lead the same way, but for hops to itself.
  void check_first_steps(int from) const {
    const std::vector<detail::link_and_tag> steps = ways_.path().first_steps(from);
    ASSERT_EQ(steps.size(), static_cast<std::size_t>(pes_));
    for (int to = 0; to < pes_; ++to) {
      check_step(ways_.journey(from, to), 0, from, steps[static_cast<std::size_t>(to)],
                 context(from, to));
    }
  }

  // Checks the later steps likewise, for all tags that are listed.
  void check_next_steps() const {
    const auto& path = ways_.path();
    for (int hop = 0; hop + 1 < hops_; ++hop) {
      if (path.listed_tags(hop) == 0) continue;
      std::vector<std::vector<detail::link_and_tag>> steps_of;
      for (int pe = 0; pe < pes_; ++pe) steps_of.push_back(path.next_steps(hop, pe));
      for (int from = 0; from < pes_ && !testing::Test::HasFatalFailure(); ++from) {
        for (int to = 0; to < pes_ && !testing::Test::HasFatalFailure(); ++to) {
          const std::vector<leg> legs = ways_.journey(from, to);
          const int at = legs[static_cast<std::size_t>(hop)].stop;
          const int sender = hop == 0 ? from : legs[static_cast<std::size_t>(hop) - 1].stop;
          const auto& steps = steps_of[static_cast<std::size_t>(at)];
          detail::link_and_tag step = steps.at(legs[static_cast<std::size_t>(hop)].tag);
          const std::uint32_t base = path.change(hop, sender, at).base;
          ASSERT_EQ(step.tag & base, 0U) << context(from, to);
          step.tag |= base;
          check_step(legs, hop + 1, at, step, context(from, to));
        }
      }
    }
  }

  // Checks a step of the legs that is made at a PE where `hop` would be next.
  void check_step(const std::vector<leg>& legs, int hop, int at, const detail::link_and_tag& step,
                  const std::string& context) const {
    std::size_t links_before = 0;
    while (hop + 1 < hops_ && legs[static_cast<std::size_t>(hop)].stop == at) {
      links_before += ways_.peers(hop, at).size();
      ++hop;
    }
    ASSERT_GE(step.link, links_before) << context;
    const leg& expected = legs[static_cast<std::size_t>(hop)];
    ASSERT_EQ(ways_.peers(hop, at).at(step.link - links_before), expected.stop) << context;
    ASSERT_EQ(step.tag, expected.tag) << context;
  }

  void check_every_first_step() const {
    for (int from = 0; from < pes_ && !testing::Test::HasFatalFailure(); ++from) {
      check_first_steps(from);
    }
  }

  void check_every_pair() const {
    for (int from = 0; from < pes_ && !testing::Test::HasFatalFailure(); ++from) {
      for (int to = 0; to < pes_; ++to) check(from, to);
    }
  }

  void check_some(int count) const {
    dice d(program_seed(static_cast<std::uint64_t>(pes_)));
    for (int i = 0; i < count && !testing::Test::HasFatalFailure(); ++i) {
      check(d.below(pes_), d.below(pes_));
    }
    // The corners of the numbering.
    for (const int from : {0, group_ - 1, pes_ - group_, pes_ - 1}) {
      for (const int to : {0, group_ - 1, pes_ - group_, pes_ - 1}) check(from, to);
    }
  }

 private:
  [[nodiscard]] std::string context(int from, int to) const {
    return " of " + std::to_string(hops_) + ", " + std::to_string(pes_) + " PEs in groups of " +
           std::to_string(group_) + ", from " + std::to_string(from) + " to " + std::to_string(to);
  }

  int hops_;
  int pes_;
  int group_;
  itinerary ways_;
  paper_routing paper_;
};

class journey : public testing::TestWithParam<int> {};

// The paper does not cover routes with a short last row: an item arrives, over links known at both
// ends, and its tag encodes its source.
TEST(journey_of_a_short_row, ends_where_it_is_to) {
  constexpr int most_pes = 26;
  for (int pes = 1; pes <= most_pes; ++pes) {
    for (int group = 1; group <= pes; ++group) {
      const itinerary ways(detail::tagged_route::matrix_with_short_row(pes, group));
      for (int from = 0; from < pes; ++from) {
        for (int to = 0; to < pes; ++to) {
          const std::vector<leg> legs = ways.journey(from, to);
          ASSERT_EQ(legs.size(), 2U) << pes << " PEs in groups of " << group;
          ASSERT_EQ(legs[1].stop, to) << pes << '/' << group << " from " << from;
          ASSERT_EQ(ways.path().source(legs[0].stop).of(legs[1].tag), from) << pes << '/' << group;
          for (std::size_t hop = 0; hop < 2; ++hop) {
            const int sender = hop == 0 ? from : legs[0].stop;
            const std::vector<int> known =
                ways.path().senders(static_cast<int>(hop), legs[hop].stop);
            ASSERT_TRUE(std::ranges::binary_search(known, sender)) << pes << '/' << group;
            ASSERT_EQ(legs[hop].tag >> (8 * ways.path().tag_bytes(static_cast<int>(hop))), 0U);
          }
        }
      }
      // No PE waits for a PE without a link to the waiting PE.
      for (int pe = 0; pe < pes; ++pe) {
        for (const int sender : ways.path().senders(0, pe)) {
          const auto& links = ways.peers(0, sender);
          ASSERT_NE(std::ranges::find(links, pe), links.end()) << pes << '/' << group;
        }
        for (const int sender : ways.path().senders(1, pe)) {
          const auto& links = ways.peers(1, sender);
          ASSERT_NE(std::ranges::find(links, pe), links.end()) << pes << '/' << group;
        }
      }
    }
  }
}

TEST_P(journey, of_every_pair_in_every_small_world) {
  constexpr int most_pes = 120;
  const int hops = GetParam();
  for (int pes = 1; pes <= most_pes; ++pes) {
    for (const int group : detail::divisors(pes)) {
      journeys(hops, pes, group).check_every_pair();
      if (HasFatalFailure()) return;
      if (hops == 1) break;  // a single hop has no groups
    }
  }
}

INSTANTIATE_TEST_SUITE_P(hops, journey, testing::Values(1, 2, 3));

// Checks worlds with every possible group.
void in_every_world_up_to_60(void (journeys::*check)() const) {
  for (int pes = 1; pes <= 60; ++pes) {
    for (const int group : detail::divisors(pes)) {
      for (const int hops : {2, 3}) (journeys(hops, pes, group).*check)();
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(journeys, go_on_without_hops_that_lead_nowhere) {
  in_every_world_up_to_60(&journeys::check_next_steps);
  if (HasFatalFailure()) return;
  for (const auto& [pes, group] : {std::pair{256, 16}, {252, 6}, {128, 4}, {1024, 16}}) {
    for (const int hops : {2, 3}) journeys(hops, pes, group).check_next_steps();
  }
}

TEST(journeys, set_out_without_hops_that_lead_nowhere) {
  in_every_world_up_to_60(&journeys::check_every_first_step);
  if (HasFatalFailure()) return;
  // Worlds with tags of a byte, of two bytes, and of a byte before two bytes.
  for (const auto& [pes, group] : {std::pair{256, 16}, {512, 2}, {1024, 32}, {1020, 17}}) {
    for (const int hops : {2, 3}) journeys(hops, pes, group).check_first_steps(pes / 3);
  }
}

TEST(journeys, of_every_pair_in_some_worlds_of_hundreds) {
  for (const int pes : {256, 257, 343, 360, 384, 512}) {
    for (const int group : detail::divisors(pes)) {
      for (const int hops : {2, 3}) journeys(hops, pes, group).check_every_pair();
      if (HasFatalFailure()) return;
    }
  }
}

// Usual sizes, a prime, cubes, and the largest possible world.
TEST(journeys, of_many_pairs_in_large_worlds) {
  for (const auto& [pes, group] :
       {std::tuple{512, 8}, std::tuple{512, 64}, std::tuple{1009, 1}, std::tuple{1009, 1009},
        std::tuple{3072, 24}, std::tuple{4096, 16}, std::tuple{4104, 18}, std::tuple{6144, 48},
        std::tuple{32767, 217}}) {
    for (const int hops : {2, 3}) journeys(hops, pes, group).check_some(20000);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace boxcar::test::journey_test
