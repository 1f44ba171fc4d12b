// A synthetic population: the persons, and their stays in the rooms of locations, the same on every
// day. Every number is drawn by a counter-based generator, keyed by the person: the population
// takes no memory, and does not depend on the number of PEs.
#pragma once

#include <cstdint>

#include "support/philox.h"

namespace examples {

// Persons in a room meet if their stays overlap. Times are minutes of the day.
struct stay {
  std::uint32_t room;
  std::uint16_t begin;
  std::uint16_t end;
};

// What a number is drawn for.
enum class draw_purpose : std::uint32_t { stays, traits, infection, progress };

struct population {
  static constexpr std::uint32_t minutes = 1440;

  std::uint64_t persons;
  std::uint32_t locations;
  std::uint64_t seed;

  // Returns the random bits of a person for a purpose; `number` is the day, or counts the stays.
  [[nodiscard]] philox_block draw(draw_purpose purpose, std::uint64_t person,
                                  std::uint32_t number) const {
    return philox_4x32_10(
        {{number, static_cast<std::uint32_t>(purpose), static_cast<std::uint32_t>(person),
          static_cast<std::uint32_t>(person >> 32)}},
        seed);
  }

  // All rooms have about 40 stays a day.
  [[nodiscard]] std::uint32_t rooms() const { return static_cast<std::uint32_t>(persons / 10 + 1); }
  // The sizes of locations are skewed: of n locations the first k have sqrt(k / n) of the rooms.
  [[nodiscard]] std::uint32_t location_of(std::uint32_t room) const {
    const std::uint64_t fraction = (std::uint64_t{room} << 32) / rooms();
    return static_cast<std::uint32_t>((fraction * fraction >> 32) * locations >> 32);
  }

  // Calls `use(stay)` for the 3 to 5 stays of a person, which do not overlap.
  template <typename Use>
  void for_each_stay(std::uint64_t person, const Use& use) const {
    const std::uint32_t count = 3 + draw(draw_purpose::traits, person, 0).word[0] % 3;
    const std::uint32_t most = minutes / count;
    for (std::uint32_t i = 0; i < count; ++i) {
      const philox_block random = draw(draw_purpose::stays, person, i);
      const std::uint32_t begin = most * i + random.word[1] % (most / 2);
      const std::uint32_t end = begin + most / 4 + random.word[2] % (most / 4);
      use(stay{philox_below(rooms(), random.word[0]), static_cast<std::uint16_t>(begin),
               static_cast<std::uint16_t>(end)});
    }
  }
};

}  // namespace examples
