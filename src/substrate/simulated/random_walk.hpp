// A chooser that gives every possible next event the same probability.
#pragma once

#include <random>

#include "substrate/simulated/chosen_order.hpp"

namespace boxcar::detail {

class random_walk final : public chooser {
 public:
  explicit random_walk(std::uint64_t seed) : numbers_(seed) {}

  std::size_t choose(std::span<const std::uint64_t> actors) override { return draw(actors.size()); }
  std::size_t draw(std::size_t alternatives) override { return numbers_() % alternatives; }
  void yields(std::uint64_t) override {}

 private:
  std::mt19937_64 numbers_;
};

}  // namespace boxcar::detail
