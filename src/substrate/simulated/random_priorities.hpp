// A chooser with random priorities: the actor of the highest priority comes first. At a few random
// moments the first actor falls behind all others ("A Randomized Scheduler with Probabilistic
// Guarantees of Finding Bugs", Burckhardt and others, 2010: a fault that needs d + 1 things in a
// certain order is found with a probability of at least 1 / (actors * choices ^ d)). An actor that
// only looks again also falls behind, to wait for other actors. Once in many choices the first
// actor falls behind in any case, lest an actor in a loop of its own keeps others waiting for ever.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <set>

#include "substrate/simulated/chosen_order.hpp"

namespace boxcar::detail {

class random_priorities final : public chooser {
 public:
  // `choices` is the expected number of choices.
  random_priorities(std::uint64_t seed, int changes, std::uint64_t choices) : numbers_(seed) {
    for (int i = 0; i < changes; ++i) changes_.insert(numbers_() % choices);
  }

  std::size_t choose(std::span<const std::uint64_t> actors) override {
    constexpr std::uint64_t long_turn = 300;
    std::size_t first = highest(actors);
    if (changes_.contains(choices_++) || choices_ % long_turn == 0) {
      yields(actors[first]);
      first = highest(actors);
    }
    return first;
  }
  std::size_t draw(std::size_t alternatives) override { return numbers_() % alternatives; }
  void yields(std::uint64_t actor) override { priorities_[actor] = --lowest_; }

  [[nodiscard]] std::uint64_t choices() const { return choices_; }

 private:
  std::size_t highest(std::span<const std::uint64_t> actors) {
    std::size_t first = 0;
    for (std::size_t i = 1; i < actors.size(); ++i) {
      if (priority(actors[i]) > priority(actors[first])) first = i;
    }
    return first;
  }
  // Returns the priority of an actor: positive, until the actor yields.
  std::int64_t priority(std::uint64_t actor) {
    const auto [place, is_new] = priorities_.try_emplace(actor, 0);
    if (is_new) place->second = static_cast<std::int64_t>(numbers_() >> 1);
    return place->second;
  }

  std::mt19937_64 numbers_;
  std::set<std::uint64_t> changes_;
  std::uint64_t choices_ = 0;
  std::map<std::uint64_t, std::int64_t> priorities_;
  std::int64_t lowest_ = 0;
};

}  // namespace boxcar::detail
