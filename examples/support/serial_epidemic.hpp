// An epidemic in one loop over the days, as the reference of the parallel program: the exposures
// come from tables of the infectivity in each room at each minute, not from pairs of visitors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/disease.hpp"
#include "support/population.hpp"

namespace examples {

struct serial_epidemic {
  std::vector<condition> conditions;          // of the persons, after the last day
  std::vector<std::uint64_t> new_infections;  // of the days
};

// Returns the epidemic of `days` days.
inline serial_epidemic simulate_epidemic(const population& people, const disease& d,
                                         std::uint32_t days) {
  serial_epidemic result;
  for (std::uint64_t p = 0; p < people.persons; ++p) result.conditions.push_back(d.at_first(p));
  // The sum of the infectivities in a room from the beginning of the day to a minute.
  constexpr std::size_t row = population::minutes + 1;
  std::vector<std::uint64_t> presence;
  for (std::uint32_t day = 1; day <= days; ++day) {
    presence.assign(people.rooms() * row, 0);
    for (std::uint64_t p = 0; p < people.persons; ++p) {
      const std::uint32_t infectivity = d.infectivity(p, result.conditions[p]);
      if (infectivity == 0) continue;
      people.for_each_stay(p, [&](const stay& s) {
        for (std::size_t m = s.begin; m < s.end; ++m) presence[s.room * row + m + 1] += infectivity;
      });
    }
    for (std::size_t room = 0; room < people.rooms(); ++room) {
      for (std::size_t m = 1; m < row; ++m) {
        presence[room * row + m] += presence[room * row + m - 1];
      }
    }
    std::uint64_t infected = 0;
    for (std::uint64_t p = 0; p < people.persons; ++p) {
      condition& c = result.conditions[p];
      std::uint64_t exposure = 0;
      people.for_each_stay(p, [&](const stay& s) {
        const std::uint64_t* const until = &presence[s.room * row];
        exposure += d.susceptibility(p, c) * (until[s.end] - until[s.begin]);
      });
      if (d.end_day(p, day, exposure, c)) ++infected;
    }
    result.new_infections.push_back(infected);
  }
  return result;
}

}  // namespace examples
