// How the session of a stream ends (tram-thesis-2014, sections 4.5 and B.2.5). docs/streams.md
// tells when to choose which.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <cstdint>

namespace boxcar {

enum class termination_kind {
  quiescence,  // when nothing is held or on its way anywhere
  counting,    // so, too, but not before so many producers of all PEs have called `done`
  staged,      // stage after stage, from when every producer of every PE has called `done`
};

struct termination {
  termination_kind kind = termination_kind::quiescence;
  std::int64_t producers = 0;  // counting: of all PEs; staged: of this PE
};

// Nothing need be declared; handlers may send as long as they like. The session ends when every PE
// is in `finish` and no item is anywhere. Background traffic: waves, each of two small messages per
// PE, from when every PE is in `finish` and has nothing left; at least two, and while items travel
// on after that at most one every half millisecond or so.
[[nodiscard]] inline termination quiescence() {
  return {};
}

// `producers` is the number of calls of `done` to be expected on all PEs together, the same on all.
// Items may be sent by whoever has not called `done` yet, and by handlers at any time, also after
// the last producer has. Background traffic: as with quiescence, but PEs that `poll` take part as
// well.
[[nodiscard]] inline termination counting(std::int64_t producers) {
  return {termination_kind::counting, producers};
}

// `producers_here` is the number of calls of `done` to be expected on this PE; none, if nothing is
// sent from here. When they have all come, nothing may be sent from this PE any more, by handlers
// either. Background traffic: none but the word on the last buffer of each link that it is the
// last.
[[nodiscard]] inline termination staged(std::int64_t producers_here) {
  return {termination_kind::staged, producers_here};
}

}  // namespace boxcar
