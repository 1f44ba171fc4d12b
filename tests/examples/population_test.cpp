// Tests of the synthetic population: the stays of a person, and the sizes of the locations.
#include "support/population.hpp"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace examples::test::population_test {
namespace {

TEST(population, stays_follow_one_another_within_the_day) {
  const population people{.persons = 2000, .locations = 100, .seed = 1};
  for (std::uint64_t p = 0; p < people.persons; ++p) {
    std::uint32_t free_from = 0;
    int stays = 0;
    people.for_each_stay(p, [&](const stay& s) {
      EXPECT_GE(s.begin, free_from) << p;
      EXPECT_GT(s.end, s.begin) << p;
      EXPECT_LT(s.room, people.rooms()) << p;
      free_from = s.end;
      ++stays;
    });
    EXPECT_LE(free_from, population::minutes) << p;
    EXPECT_TRUE(stays >= 3 && stays <= 5) << p;
  }
}

TEST(population, first_locations_have_the_square_root_of_their_share) {
  const population people{.persons = 1'000'000, .locations = 400, .seed = 1};
  std::vector<double> rooms(people.locations);
  for (std::uint32_t r = 0; r < people.rooms(); ++r) ++rooms.at(people.location_of(r));
  double first = 0;
  for (std::uint32_t k = 0; k < people.locations; ++k) {
    first += rooms[k];
    const double expected = std::sqrt((k + 1.0) / people.locations) * people.rooms();
    EXPECT_NEAR(first, expected, 2) << k;
  }
}

TEST(population, smallest_has_one_room_and_one_location) {
  const population people{.persons = 1, .locations = 1, .seed = 1};
  EXPECT_EQ(people.rooms(), 1u);
  EXPECT_EQ(people.location_of(0), 0u);
  people.for_each_stay(0, [](const stay& s) { EXPECT_EQ(s.room, 0u); });
}

}  // namespace
}  // namespace examples::test::population_test
