// The termination is the rule by which the session of a stream ends (tram-thesis-2014, sections 4.5
// and B.2.5). docs/streams.md explains the choice.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <cstdint>

namespace boxcar {

enum class termination_kind {
  quiescence,  // when nothing is held or in flight anywhere
  counting,    // likewise, but not before the declared number of producers of all PEs have called
               // `done`
  staged,      // stage after stage, once every producer of every PE has called `done`
};

struct termination {
  termination_kind kind = termination_kind::quiescence;
  std::int64_t producers = 0;  // counting: of all PEs; staged: of this PE
};

// Returns the termination by quiescence: nothing need be declared; handlers may send as long as
// they like. The session ends when every PE is in `finish` and no item is anywhere. Background
// traffic: rounds of two small messages per PE each, once every PE is in `finish` and has nothing
// left; at least two rounds, and while items still travel at most one round every half millisecond
// or so.
[[nodiscard]] inline termination quiescence() {
  return {};
}

// Returns the termination by counting. `producers` is the number of expected calls of `done` on all
// PEs together, the same on all PEs. Items may be sent by producers that have not called `done`
// yet, and by handlers at any time, also after the last call of `done`. Background traffic: as with
// quiescence, but PEs in `poll` take part as well.
[[nodiscard]] inline termination counting(std::int64_t producers) {
  return {termination_kind::counting, producers};
}

// Returns the termination in stages. `producers_here` is the number of expected calls of `done` on
// the PE; 0 if the PE sends nothing. After the last of the calls nothing may be sent from the PE
// any more, by handlers either. Background traffic: none except a mark in the last buffer of each
// link.
[[nodiscard]] inline termination staged(std::int64_t producers_here) {
  return {termination_kind::staged, producers_here};
}

}  // namespace boxcar
