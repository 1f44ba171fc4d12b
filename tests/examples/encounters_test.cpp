// Tests of who meets whom: single encounters, and random visits beside a count of every minute.
#include "support/encounters.hpp"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <vector>

#include "support/random_stream.hpp"

namespace examples::test::encounters_test {
namespace {

using exposures = std::map<std::uint64_t, std::uint64_t>;

struct found {
  exposures exposed;
  std::uint64_t encounters = 0;
};

found encounters_of(std::vector<visit> visits) {
  found f;
  f.encounters = find_encounters(
      visits, [&](std::uint64_t person, std::uint64_t exposure) { f.exposed[person] += exposure; });
  return f;
}

// The visits of an infectious and of a susceptible person.
visit infectious(std::uint64_t person, const stay& at) {
  return {person, at, 2, 0};
}
visit susceptible(std::uint64_t person, const stay& at) {
  return {person, at, 0, 3};
}

TEST(encounters, exposure_is_minutes_times_both_weights) {
  const found f = encounters_of({infectious(1, {5, 100, 200}), susceptible(2, {5, 150, 300})});
  EXPECT_EQ(f.exposed, (exposures{{2, 50 * 2 * 3}}));
  EXPECT_EQ(f.encounters, 1u);
}

TEST(encounters, either_may_come_first_and_stay_longer) {
  const exposures ten_minutes{{2, 10 * 2 * 3}};
  EXPECT_EQ(encounters_of({infectious(1, {0, 0, 90}), susceptible(2, {0, 40, 50})}).exposed,
            ten_minutes);
  EXPECT_EQ(encounters_of({susceptible(2, {0, 0, 90}), infectious(1, {0, 40, 50})}).exposed,
            ten_minutes);
  EXPECT_EQ(encounters_of({susceptible(2, {0, 40, 50}), infectious(1, {0, 40, 50})}).exposed,
            ten_minutes);
}

TEST(encounters, other_rooms_and_other_times_are_no_encounters) {
  EXPECT_EQ(encounters_of({infectious(1, {5, 100, 200}), susceptible(2, {6, 100, 200})}).encounters,
            0u);
  EXPECT_EQ(encounters_of({infectious(1, {5, 100, 200}), susceptible(2, {5, 200, 300})}).encounters,
            0u);
  EXPECT_EQ(encounters_of({}).encounters, 0u);
}

TEST(encounters, equal_states_do_not_infect) {
  const stay at{1, 0, 60};
  EXPECT_EQ(encounters_of({infectious(1, at), infectious(2, at)}).exposed, exposures());
  EXPECT_EQ(encounters_of({susceptible(1, at), susceptible(2, at)}).exposed, exposures());
  EXPECT_EQ(encounters_of({susceptible(1, at), susceptible(2, at)}).encounters, 1u);
}

TEST(encounters, several_infectious_persons_add_up) {
  const found f = encounters_of({susceptible(3, {0, 0, 100}), infectious(1, {0, 10, 30}),
                                 infectious(2, {0, 20, 60}), susceptible(4, {0, 50, 55})});
  EXPECT_EQ(f.exposed, (exposures{{3, (20 + 40) * 2 * 3}, {4, 5 * 2 * 3}}));
  EXPECT_EQ(f.encounters, 5u);
}

std::vector<visit> random_visits(random_stream& random, int count) {
  std::vector<visit> visits;
  for (int i = 0; i < count; ++i) {
    const auto begin = static_cast<std::uint16_t>(random.below(population::minutes - 1));
    const int most = static_cast<int>(population::minutes) - begin;
    const auto end = static_cast<std::uint16_t>(begin + 1 + random.below(most));
    const stay at{static_cast<std::uint32_t>(random.below(3)), begin, end};
    const auto weight = static_cast<std::uint32_t>(1 + random.below(9));
    const bool is_infectious = random.below(3) == 0;
    visits.push_back({static_cast<std::uint64_t>(i), at, is_infectious ? weight : 0,
                      is_infectious ? 0 : weight});
  }
  return visits;
}

exposures minute_by_minute(const std::vector<visit>& visits) {
  exposures all;
  for (std::uint32_t minute = 0; minute < population::minutes; ++minute) {
    const auto is_there = [&](const visit& v) { return v.at.begin <= minute && minute < v.at.end; };
    for (const visit& a : visits) {
      for (const visit& b : visits) {
        if (a.at.room != b.at.room || !is_there(a) || !is_there(b)) continue;
        const std::uint64_t exposure = std::uint64_t{a.infectivity} * b.susceptibility;
        if (exposure != 0) all[b.person] += exposure;
      }
    }
  }
  return all;
}

TEST(encounters, random_visits_agree_with_a_count_of_every_minute) {
  random_stream random(1, 0);
  for (const int count : {1, 2, 7, 40, 60}) {
    const std::vector<visit> visits = random_visits(random, count);
    EXPECT_EQ(encounters_of(visits).exposed, minute_by_minute(visits)) << count;
  }
}

TEST(encounters, order_of_the_visits_does_not_matter) {
  random_stream random(2, 0);
  std::vector<visit> visits = random_visits(random, 50);
  const exposures before = encounters_of(visits).exposed;
  std::reverse(visits.begin(), visits.end());
  EXPECT_EQ(encounters_of(visits).exposed, before);
}

}  // namespace
}  // namespace examples::test::encounters_test
