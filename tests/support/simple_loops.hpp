// Loops that many tests share. All are legal for every kind of conveyor.
#pragma once

#include "support/checked_conveyor.hpp"

namespace boxcar::test {

inline void pull_all(checked_conveyor& c) {
  while (c.pull()) {
  }
}

// Pushes an item to `pe`, however long it takes.
inline void push_surely(checked_conveyor& c, int pe) {
  while (!c.push(pe)) {
    pull_all(c);
    c.advance(false);
  }
}

inline void push_to_all(checked_conveyor& c, int times = 1) {
  for (int i = 0; i < times; ++i) {
    for (int pe = 0; pe < c.size(); ++pe) push_surely(c, pe);
  }
}

// Pulls until the session is complete.
inline void finish(checked_conveyor& c) {
  while (c.advance(true)) pull_all(c);
}

// Advances, without pulls, until no more items will arrive. Precondition: every PE will have an
// item to pull, and no more items than the buffers can hold.
inline void advance_to_cleanup(checked_conveyor& c) {
  while (c.state() != conveyor_state::cleanup) c.advance(true);
}

}  // namespace boxcar::test
