// The course of a disease in a person: susceptible, latent, infectious, recovered. The course of a
// day depends on the person, the day and the exposure alone. An exposure is an integer, so that the
// sum over all encounters of the day is exact and does not depend on their order.
#pragma once

#include <cmath>
#include <cstdint>

#include "support/population.hpp"

namespace examples {

enum class health : std::uint32_t { susceptible, latent, infectious, recovered };

struct condition {
  health state = health::susceptible;
  std::uint32_t until = 0;  // the last day of the state, if the state is latent or infectious

  friend bool operator==(const condition&, const condition&) = default;
};

class disease {
 public:
  // The persons with the lowest numbers, `first_infectious` persons, are infectious at first.
  disease(const population& people, std::uint64_t first_infectious)
      : people_(people), first_infectious_(first_infectious) {}

  [[nodiscard]] condition at_first(std::uint64_t person) const {
    if (person >= first_infectious_) return {};
    return {health::infectious, days_of(person, 0, 3, 4)};
  }

  // An encounter of one minute adds the product of both weights to the exposure of the susceptible
  // person. The weights are 0 in all other states, and otherwise 5 to 15.
  [[nodiscard]] std::uint32_t infectivity(std::uint64_t person, const condition& c) const {
    return c.state == health::infectious ? weight(person, 1) : 0;
  }
  [[nodiscard]] std::uint32_t susceptibility(std::uint64_t person, const condition& c) const {
    return c.state == health::susceptible ? weight(person, 2) : 0;
  }

  // Updates the condition at the end of a day. Returns whether the person was infected.
  bool end_day(std::uint64_t person, std::uint32_t day, std::uint64_t exposure,
               condition& c) const {
    switch (c.state) {
      case health::susceptible:
        if (!infects(person, day, exposure)) return false;
        c = {health::latent, day + days_of(person, day, 1, 3)};
        return true;
      case health::latent:
        if (day >= c.until) c = {health::infectious, day + days_of(person, day, 3, 4)};
        return false;
      case health::infectious:
        if (day >= c.until) c.state = health::recovered;
        return false;
      case health::recovered:
        return false;
    }
    return false;
  }

 private:
  [[nodiscard]] std::uint32_t weight(std::uint64_t person, int word) const {
    return 5 + people_.draw(draw_purpose::traits, person, 0).word[word] % 11;
  }
  // Exposures are rates of independent infections: the probability of an infection is
  // 1 - exp(-rate * exposure).
  [[nodiscard]] bool infects(std::uint64_t person, std::uint32_t day,
                             std::uint64_t exposure) const {
    constexpr double rate = 3e-6;
    if (exposure == 0) return false;
    const double drawn = people_.draw(draw_purpose::infection, person, day).word[0] * 0x1p-32;
    return drawn < -std::expm1(-rate * static_cast<double>(exposure));
  }
  [[nodiscard]] std::uint32_t days_of(std::uint64_t person, std::uint32_t day, std::uint32_t least,
                                      std::uint32_t choices) const {
    return least + people_.draw(draw_purpose::progress, person, day).word[0] % choices;
  }

  population people_;
  std::uint64_t first_infectious_;
};

}  // namespace examples
