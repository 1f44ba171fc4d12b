// The order of events on a simulated machine, chosen by a chooser instead of by time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>

namespace boxcar::detail {

// A chooser picks the next event, again and again. An actor may do several things in a run, but
// only in sequence: a PE that goes on, messages from one PE to another, wakes of a PE.
class chooser {
 public:
  virtual ~chooser() = default;

  // Returns the index of the next event, given the actors of all possible events. The event that
  // could happen for the longest time is the first.
  virtual std::size_t choose(std::span<const std::uint64_t> actors) = 0;
  // Returns a number below `alternatives`, for choices other than the order of events.
  virtual std::size_t draw(std::size_t alternatives) = 0;
  // Notes that the actor will only look again next.
  virtual void yields(std::uint64_t actor) = 0;
};

struct chosen_order {
  chooser* by;
  // One PE throws chosen_failure in a wait or look, if the PE waits or looks often enough.
  bool one_pe_fails = false;
  // The number of events after which the PEs are taken for going round in circles.
  std::uint64_t longest = 0;
};

class chosen_failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  static constexpr const char* words = " fails here, as was chosen";
};

}  // namespace boxcar::detail
