// Encounters: which visitors of a room are there at the same time, and for how long.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "support/population.hpp"

namespace examples {

// The message of a person to a location.
struct visit {
  std::uint64_t person;
  stay at;
  std::uint32_t infectivity;     // 0: does not infect others
  std::uint32_t susceptibility;  // 0: cannot be infected
};

// Calls `expose(person, exposure)` for each encounter in which a susceptible person is exposed to
// an infectious person. The exposure is the product of the minutes and both weights. Sorts the
// visits. Returns the number of encounters of any two persons.
template <typename Expose>
std::uint64_t find_encounters(std::vector<visit>& visits, const Expose& expose) {
  std::sort(visits.begin(), visits.end(), [](const visit& a, const visit& b) {
    return std::tie(a.at.room, a.at.begin, a.person) < std::tie(b.at.room, b.at.begin, b.person);
  });
  std::uint64_t encounters = 0;
  for (std::size_t i = 0; i != visits.size(); ++i) {
    const visit& a = visits[i];
    for (std::size_t j = i + 1; j != visits.size(); ++j) {
      const visit& b = visits[j];
      if (b.at.room != a.at.room || b.at.begin >= a.at.end) break;
      ++encounters;
      const std::uint64_t shared = std::min(a.at.end, b.at.end) - std::uint64_t{b.at.begin};
      const std::uint64_t of_a = shared * a.susceptibility * b.infectivity;
      const std::uint64_t of_b = shared * b.susceptibility * a.infectivity;
      if (of_a != 0) expose(a.person, of_a);
      if (of_b != 0) expose(b.person, of_b);
    }
  }
  return encounters;
}

}  // namespace examples
