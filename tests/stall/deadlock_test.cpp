// Tests of the detection of stuck PEs from their reports: against a search through all sets of PEs.
#include "substrate/stall/deadlock.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <string>
#include <vector>

#include "support/dice.hpp"
#include "support/thrown.hpp"

namespace boxcar::detail::deadlock_test {
namespace {

constexpr std::uint64_t whole = 1;

struct waiting_pe {
  needs on = needs::all;
  std::uint64_t world = whole;
  std::uint64_t number = 1;
  std::vector<pe_report::membership> worlds{};
  std::string called = "barrier";
};

pe_report report_of(int rank, const waiting_pe& pe) {
  pe_report r;
  r.rank = rank;
  r.on = pe.on;
  r.world = pe.world;
  r.number = pe.number;
  r.moves = 7;
  pe.called.copy(r.called.data(), r.called.size() - 1);
  for (const auto& w : pe.worlds) {
    r.member_of[r.worlds++] = w;
    if (w.world == r.world) r.world_pes = static_cast<std::uint32_t>(w.pes);
  }
  return r;
}

std::vector<pe_group> groups_of(const std::vector<pe_report>& reports) {
  std::vector<pe_group> groups;
  for (const pe_report& r : reports) add(groups, group_of(r));
  return groups;
}

std::vector<int> ranks_of(const std::vector<pe_group>& groups,
                          const std::vector<std::size_t>& which) {
  std::vector<int> ranks;
  for (const std::size_t i : which) {
    for (std::uint32_t range = 0; range < groups[i].ranges; ++range) {
      for (int pe = groups[i].ranks[range].first; pe <= groups[i].ranks[range].last; ++pe) {
        ranks.push_back(pe);
      }
    }
  }
  std::ranges::sort(ranks);
  return ranks;
}

std::vector<int> stuck_among(const std::vector<pe_report>& reports, int pes) {
  const auto groups = groups_of(reports);
  return ranks_of(groups, find_stuck(groups, pes));
}

const std::vector<pe_report::membership> in_whole_of_4{{whole, 4, 0}};

TEST(deadlock, needs_somebody_who_stays_away) {
  const waiting_pe in_barrier{.worlds = in_whole_of_4};
  // PE 3 computes.
  EXPECT_TRUE(
      stuck_among({report_of(0, in_barrier), report_of(1, in_barrier), report_of(2, in_barrier)}, 4)
          .empty());
}

TEST(deadlock, is_where_all_wait) {
  const waiting_pe in_barrier{.worlds = in_whole_of_4};
  const waiting_pe in_session{.on = needs::any, .number = 5, .worlds = {{whole, 4, 1}}};
  EXPECT_EQ(stuck_among({report_of(0, in_session), report_of(1, in_barrier),
                         report_of(2, in_barrier), report_of(3, in_session)},
                        4),
            (std::vector{0, 1, 2, 3}));
}

TEST(deadlock, of_two_does_not_need_the_others) {
  constexpr std::uint64_t part = 2;
  const std::vector<pe_report::membership> both{{whole, 4, 0}, {part, 2, 0}};
  EXPECT_EQ(stuck_among({report_of(1, {.world = part, .worlds = both}),
                         report_of(2, {.world = whole, .worlds = both})},
                        4),
            (std::vector{1, 2}));
  // A PE with any PE as possible helper is not stuck while a helper computes.
  EXPECT_TRUE(stuck_among({report_of(1, {.world = part, .worlds = both}),
                           report_of(2, {.on = needs::any, .world = whole, .worlds = both})},
                          4)
                  .empty());
}

TEST(deadlock, is_not_claimed_of_whom_too_little_is_known) {
  pe_report vague = report_of(0, {.on = needs::any, .worlds = {{whole, 2, 0}}});
  vague.lists_all_worlds = false;
  const pe_report other = report_of(1, {.worlds = {{whole, 2, 0}}});
  EXPECT_TRUE(stuck_among({vague, other}, 3).empty());
  EXPECT_EQ(stuck_among({vague, other}, 2).size(), 2u);  // no other PE is there
}

// --- Random jobs -----------------------------------------------------------------------------

class random_job {
 public:
  explicit random_job(std::uint64_t seed) : dice_(seed), pes_(1 + dice_.below(7)) {
    const int worlds = 1 + dice_.below(3);
    members_.assign(1, std::vector<bool>(index(pes_), true));
    for (int w = 1; w < worlds; ++w) {
      std::vector<bool> members(index(pes_));
      for (int pe = 0; pe < pes_; ++pe) members[index(pe)] = dice_.chance(50);
      members_.push_back(members);
    }
    for (int pe = 0; pe < pes_; ++pe) {
      if (dice_.chance(25)) continue;  // the PE computes
      std::size_t world = 0;
      do {
        world = index(dice_.below(worlds));
      } while (!members_[world][index(pe)]);
      waiting_pe p{.on = dice_.chance(33) ? needs::any : needs::all,
                   .world = world + 1,
                   .number = static_cast<std::uint64_t>(1 + dice_.below(2))};
      for (std::size_t w = 0; w < members_.size(); ++w) {
        if (!members_[w][index(pe)]) continue;
        p.worlds.push_back({w + 1, size_of(w), dice_.chance(25) ? 1 : 0});
      }
      reports_.push_back(report_of(pe, p));
    }
  }

  // The largest set of waiting PEs of which none can be set free from outside the set.
  [[nodiscard]] std::vector<int> stuck_by_definition() const {
    if (static_cast<int>(reports_.size()) == pes_) {
      std::vector<int> all(index(pes_));
      std::iota(all.begin(), all.end(), 0);
      return all;
    }
    std::vector<bool> stuck(reports_.size());
    for (unsigned set = 0; set < 1u << reports_.size(); ++set) {
      bool holds = true;
      for (std::size_t i = 0; i < reports_.size(); ++i) {
        if ((set >> i & 1) != 0) holds = holds && !can_be_set_free(i, set);
      }
      for (std::size_t i = 0; holds && i < reports_.size(); ++i) {
        if ((set >> i & 1) != 0) stuck[i] = true;
      }
    }
    std::vector<int> ranks;
    for (std::size_t i = 0; i < reports_.size(); ++i) {
      if (stuck[i]) ranks.push_back(reports_[i].rank);
    }
    return ranks;
  }
  [[nodiscard]] std::vector<int> found() const { return stuck_among(reports_, pes_); }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  [[nodiscard]] int size_of(std::size_t world) const {
    return static_cast<int>(std::ranges::count(members_[world], true));
  }
  [[nodiscard]] bool is_in_set(int pe, unsigned set) const {
    for (std::size_t i = 0; i < reports_.size(); ++i) {
      if (reports_[i].rank == pe) return (set >> i & 1) != 0;
    }
    return false;
  }

  // Returns whether PE i can be set free if all PEs outside the set do their best.
  [[nodiscard]] bool can_be_set_free(std::size_t i, unsigned set) const {
    const pe_report& r = reports_[i];
    if (r.on == needs::all) {
      // Every PE comes but for the members of the set that are elsewhere.
      for (std::size_t j = 0; j < reports_.size(); ++j) {
        const pe_report& other = reports_[j];
        const bool is_member = members_[r.world - 1][index(other.rank)];
        const bool has_come =
            other.on == needs::all && other.world == r.world && other.number == r.number;
        if ((set >> j & 1) != 0 && is_member && !has_come) return false;
      }
      return true;
    }
    for (std::uint32_t w = 0; w < r.worlds; ++w) {
      const auto [world, pes, sessions] = r.member_of[w];
      if (sessions == 0 && world != r.world) continue;
      for (int pe = 0; pe < pes_; ++pe) {
        if (members_[world - 1][index(pe)] && !is_in_set(pe, set)) return true;
      }
    }
    return false;
  }

  test::dice dice_;
  int pes_;
  std::vector<std::vector<bool>> members_;  // by world
  std::vector<pe_report> reports_;
};

TEST(deadlock, of_random_jobs_is_what_the_definition_says) {
  int with_some = 0;
  constexpr int jobs = 20000;
  for (std::uint64_t seed = 0; seed < jobs; ++seed) {
    const random_job job(seed);
    const auto stuck = job.stuck_by_definition();
    ASSERT_EQ(job.found(), stuck) << "seed " << seed;
    with_some += stuck.empty() ? 0 : 1;
  }
  EXPECT_GT(with_some, jobs / 10);
  EXPECT_LT(with_some, jobs * 9 / 10);
}

// --- Groups and words --------------------------------------------------------------------------

TEST(group, holds_whoever_is_alike) {
  std::vector<pe_group> groups;
  for (const int pe : {7, 1, 0, 2, 3}) {
    add(groups, group_of(report_of(pe, {.worlds = in_whole_of_4})));
  }
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].pes, 5);
  EXPECT_EQ(name_pes(groups[0]), "PEs 0 to 3, 7");
}

TEST(group, counts_whom_it_cannot_name) {
  std::vector<pe_group> groups;
  for (int pe = 0; pe < 40; pe += 2) add(groups, group_of(report_of(pe, {})));
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(name_pes(groups[0]), "PEs 0, 2, 4, 6, 8, 10, 12, 14 and 12 others");
}

TEST(group, is_one_of_few_whatever_there_is) {
  std::vector<pe_group> groups;
  for (int pe = 0; pe < 1000; ++pe) {
    add(groups, group_of(report_of(pe, {.number = static_cast<std::uint64_t>(pe)})));
  }
  EXPECT_EQ(groups.size(), max_groups);
  int pes = 0;
  for (const pe_group& g : groups) pes += g.pes;
  EXPECT_EQ(pes, 1000);
  const finding found = find(groups, 1000);
  EXPECT_EQ(found.pes, 1000);
  EXPECT_LT(describe(found, 1000).size(), 2000u);
}

TEST(group, changes_its_stamp_if_one_gets_on) {
  std::vector<pe_report> reports{report_of(0, {}), report_of(1, {})};
  const finding before = find(groups_of(reports), 2);
  EXPECT_EQ(before, find(groups_of(reports), 2));
  ++reports[1].moves;
  EXPECT_NE(before, find(groups_of(reports), 2));
  EXPECT_NE(finding(), finding());
}

TEST(description, tells_all_and_what_to_do) {
  pe_report greedy = report_of(3, {.on = needs::any, .worlds = {{whole, 4, 1}}});
  greedy.called = {};
  std::string("advance(true)").copy(greedy.called.data(), greedy.called.size());
  std::string("conveyor 2, session 5, cleanup").copy(greedy.what.data(), greedy.what.size());
  greedy.unpulled = 512;
  greedy.seconds = 61.2;
  std::vector<pe_report> reports{greedy};
  for (const int pe : {0, 1, 2}) reports.push_back(report_of(pe, {.worlds = in_whole_of_4}));
  const std::string text = describe(find(groups_of(reports), 4), 4);
  test::expect_mentions(text, {"no PE can go on",
                               "PE 3: in advance(true) (conveyor 2, session 5, cleanup) for 61 "
                               "seconds, holds 512 items that were not pulled",
                               "PEs 0 to 2: in barrier for 0.0 seconds", "PE 3 must call pull",
                               "BOXCAR_STALL_SECONDS"});
}

}  // namespace
}  // namespace boxcar::detail::deadlock_test
