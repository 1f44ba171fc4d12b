// The order of what happens on a simulated machine, where it is chosen instead of that of time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>

namespace boxcar::detail {

// Picks what happens next, one thing after the other. Actors are whatever may do several things of
// a run, but one at a time: a PE that goes on, parcels from one PE to another, wakes of a PE.
class chooser {
 public:
  virtual ~chooser() = default;

  // Which of several, by their actors, the one that could happen for the longest time first.
  virtual std::size_t choose(std::span<const std::uint64_t> actors) = 0;
  // One of so many numbers from 0 on, for what is no matter of order.
  virtual std::size_t draw(std::size_t alternatives) = 0;
  // What the actor does next is only to look again.
  virtual void yields(std::uint64_t actor) = 0;
};

struct chosen_order {
  chooser* by;
  // One PE throws chosen_failure where it waits or looks, if it does often enough.
  bool one_pe_fails = false;
  // After so many events the PEs are taken for going round in circles.
  std::uint64_t longest = 0;
};

class chosen_failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  static constexpr const char* words = " fails here, as was chosen";
};

}  // namespace boxcar::detail
